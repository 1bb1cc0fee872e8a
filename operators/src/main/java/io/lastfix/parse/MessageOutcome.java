package io.lastfix.parse;

import io.lastfix.model.LocationRecord;
import io.lastfix.model.RejectionReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one message has yielded so far: numbers its records, passes on the good ones, and keeps the
 * number of records and of rejections within their limits.
 *
 * <p>Sum: the records found = those passed on + {@link Rejection#records()} over all rejections.
 * What is left of a message that cannot be read on is the record it broke off in, or, between
 * records, counts as one record found; so does a message that holds none.
 */
final class MessageOutcome {
  private final int maxRecords;
  private final int maxRejections;
  private final long maxRejectedBytes;
  private final Map<RejectionReason, RejectedTogether> together =
      new EnumMap<>(RejectionReason.class);
  private @Nullable RecordConsumer out;
  private int found;
  private int rejections;
  private int messageBytes;

  /** Whether the record found last is neither passed on nor rejected yet. */
  private boolean isInRecord;

  /** The bad records past the limit that have one reason. */
  private static final class RejectedTogether {
    private final String first;
    private int records = 1;

    RejectedTogether(String first) {
      this.first = first;
    }
  }

  MessageOutcome(DecoderLimits limits) {
    this.maxRecords = limits.maxRecordsPerMessage();
    this.maxRejections = limits.maxRejectionsPerMessage();
    this.maxRejectedBytes = DecoderLimits.REJECTED_MESSAGES * (long) limits.maxMessageBytes();
  }

  /**
   * Starts a message, whose records and rejections go there.
   *
   * @param bytes its length as it came in, which each rejection carries
   */
  void start(RecordConsumer consumer, int bytes) {
    out = consumer;
    messageBytes = bytes;
    found = 0;
    rejections = 0;
    isInRecord = false;
    together.clear();
  }

  private RecordConsumer out() {
    return Objects.requireNonNull(out, "not started");
  }

  /**
   * Counts a record that starts here.
   *
   * @return whether it is within the limit and should be read; otherwise it is to be skipped, and
   *     then {@linkplain #rejectPastLimit rejected}
   */
  boolean found() {
    found++;
    isInRecord = true;
    return found <= maxRecords;
  }

  /** Whether the record being read, or else one more, is within the limit. */
  boolean isWithinLimit() {
    return isInRecord ? found <= maxRecords : found < maxRecords;
  }

  /** Whether the record found last is neither passed on nor rejected yet. */
  boolean isInRecord() {
    return isInRecord;
  }

  /** How many records were found so far. */
  int foundSoFar() {
    return found;
  }

  void accept(LocationRecord record) {
    isInRecord = false;
    out().record(record);
  }

  /** Rejects the record found last. */
  void rejectRecord(RejectionReason reason, String detail) {
    isInRecord = false;
    if (rejections < maxRejections && (rejections + 1L) * messageBytes <= maxRejectedBytes) {
      rejections++;
      out().rejected(new Rejection(reason, numbered(detail)));
    } else if (!isRejectedTogether(reason)) {
      rejectTogether(reason, numbered(detail));
    }
  }

  /** Rejects the record found last, which was skipped whole since it is past the limit. */
  void rejectPastLimit() {
    isInRecord = false;
    if (!isRejectedTogether(RejectionReason.TOO_MANY_RECORDS)) {
      rejectTogether(
          RejectionReason.TOO_MANY_RECORDS,
          "expected at most " + maxRecords + " records in a message");
    }
  }

  /** Rejects the message, or what is left of it. */
  void rejectMessage(RejectionReason reason, String detail) {
    if (!isInRecord) {
      found++;
    }
    isInRecord = false;
    out().rejected(new Rejection(reason, detail));
  }

  private String numbered(String detail) {
    return "record " + found + ": " + detail;
  }

  /**
   * Counts one more bad record with those of its reason, if it is not the first of them. A message
   * may hold millions: nothing is allocated for each.
   */
  private boolean isRejectedTogether(RejectionReason reason) {
    RejectedTogether records = together.get(reason);
    if (records != null) {
      records.records++;
    }
    return records != null;
  }

  private void rejectTogether(RejectionReason reason, String firstDetail) {
    together.put(reason, new RejectedTogether(firstDetail));
  }

  /** Ends the message: passes on what is rejected together, one rejection for each reason. */
  void finish() {
    if (together.isEmpty()) {
      // Nearly always: to look through nothing would make two objects for each message.
      return;
    }
    together.forEach(
        (reason, rejected) ->
            out()
                .rejected(
                    new Rejection(
                        reason,
                        rejected.records
                            + " records rejected together, the first: "
                            + rejected.first,
                        rejected.records)));
  }
}
