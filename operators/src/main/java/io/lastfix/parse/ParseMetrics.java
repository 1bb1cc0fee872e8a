package io.lastfix.parse;

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
  private final Counter records;
  private final Counter recordsRejected;
  private final Counter notRecords;
  private final Counter positionIgnored;
  private final Counter cellIgnored;
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

  void record() {
    records.inc();
  }

  /** Records forwarded or rejected, and what is no record. */
  long recordsFound() {
    return records.getCount() + recordsRejected.getCount() + notRecords.getCount();
  }

  void notRecord() {
    notRecords.inc();
  }

  long notRecords() {
    return notRecords.getCount();
  }

  void positionIgnored() {
    positionIgnored.inc();
  }

  void cellIgnored() {
    cellIgnored.inc();
  }

  void rejected(Rejection rejection) {
    recordsRejected.inc(rejection.records());
    Objects.requireNonNull(rejectedByReason.get(rejection.reason())).inc(rejection.records());
  }
}
