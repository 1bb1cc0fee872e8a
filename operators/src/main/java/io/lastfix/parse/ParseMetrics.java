package io.lastfix.parse;

import io.lastfix.ledger.LedgerEntry;
import io.lastfix.model.RejectionReason;
import io.lastfix.model.metrics.JobMetrics;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** The counters that {@link ParseFunction} documents. */
final class ParseMetrics {
  private final Counter messages;
  private final Counter bytes;
  final Counter records;
  final Counter notRecords;
  final Counter positionIgnored;
  final Counter cellIgnored;
  private final Counter recordsRejected;
  private final Map<RejectionReason, Counter> rejectedByReason =
      new EnumMap<>(RejectionReason.class);

  ParseMetrics(MetricGroup group) {
    messages = group.counter("messages");
    bytes = group.counter("bytes");
    records = group.counter(JobMetrics.RECORDS);
    positionIgnored = group.counter("positionIgnored");
    cellIgnored = group.counter("cellIgnored");
    recordsRejected = group.counter("recordsRejected");
    notRecords = group.counter(JobMetrics.NOT_RECORDS);
    MetricGroup rejected = group.addGroup(JobMetrics.REJECTED);
    for (RejectionReason reason : RejectionReason.values()) {
      rejectedByReason.put(reason, rejected.counter(reason.code()));
    }
  }

  void message(RawMessage message) {
    messages.inc();
    bytes.inc(Math.max(0, message.valueLength()));
  }

  /** What was found, forwarded or rejected or no record, and how much of it is no record. */
  LedgerEntry counted() {
    long none = notRecords.getCount();
    return LedgerEntry.ofIn(records.getCount() + recordsRejected.getCount() + none)
        .plus(LedgerEntry.ofNotRecords(none));
  }

  void rejected(Rejection rejection) {
    recordsRejected.inc(rejection.records());
    Objects.requireNonNull(rejectedByReason.get(rejection.reason())).inc(rejection.records());
  }
}
