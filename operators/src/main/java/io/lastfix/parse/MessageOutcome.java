package io.lastfix.parse;

import io.lastfix.model.LocationRecord;
import io.lastfix.model.RejectionReason;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of one message so far. It numbers the records, forwards the valid ones, and keeps the
 * numbers of records and rejections within their limits.
 *
 * <p>Sum: the records found = the records forwarded + {@link Rejection#records()} over all
 * rejections + what is no record. If the rest of a message cannot be read, it counts as the current
 * record, or between records as one record found. A message without records counts as one record
 * found, too.
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

  /** True if the current record is neither forwarded nor rejected yet. */
  private boolean isInRecord;

  /** How many more records are rejected with the current one. */
  private int within;

  /** The invalid records after the limit with the same reason. */
  private static final class RejectedTogether {
    private final String first;
    private int records;

    RejectedTogether(String first, int records) {
      this.first = first;
      this.records = records;
    }
  }

  MessageOutcome(DecoderLimits limits) {
    this.maxRecords = limits.maxRecordsPerMessage();
    this.maxRejections = limits.maxRejectionsPerMessage();
    this.maxRejectedBytes = DecoderLimits.REJECTED_MESSAGES * (long) limits.maxMessageBytes();
  }

  /**
   * Starts a message.
   *
   * @param consumer receives the message's records and rejections
   * @param bytes original length of the message, which each rejection carries
   */
  void start(RecordConsumer consumer, int bytes) {
    out = consumer;
    messageBytes = bytes;
    found = 0;
    rejections = 0;
    isInRecord = false;
    within = 0;
    together.clear();
  }

  private RecordConsumer out() {
    return Objects.requireNonNull(out, "not started");
  }

  /**
   * Counts a record that starts here.
   *
   * @return true if it is within the limit and should be read; otherwise the caller skips and then
   *     {@linkplain #rejectPastLimit rejects} it
   */
  boolean found() {
    found++;
    isInRecord = true;
    return found <= maxRecords;
  }

  /** Counts records in the current one, which cannot be read and will be rejected with it. */
  void foundWithin(int records) {
    found += records;
    within = records;
  }

  /** Returns true if the current record, or else one more, is within the limit. */
  boolean isWithinLimit() {
    return isInRecord ? found <= maxRecords : found < maxRecords;
  }

  /** Returns true if the current record is neither forwarded nor rejected yet. */
  boolean isInRecord() {
    return isInRecord;
  }

  /** Returns the number of records found so far. */
  int foundSoFar() {
    return found;
  }

  /**
   * Forwards the current record.
   *
   * @param isPositionIgnored true: its own position was unusable
   * @param isCellIgnored true: its cell was unreadable
   */
  void accept(LocationRecord record, boolean isPositionIgnored, boolean isCellIgnored) {
    isInRecord = false;
    if (isPositionIgnored) {
      out().positionIgnored();
    }
    if (isCellIgnored) {
      out().cellIgnored();
    }
    out().record(record);
  }

  /** Counts the current record as none. */
  void notRecord() {
    isInRecord = false;
    out().notRecord();
  }

  /** Rejects the current record. */
  void rejectRecord(RejectionReason reason, String detail) {
    int records = endRejected();
    if (rejections < maxRejections && (rejections + 1L) * messageBytes <= maxRejectedBytes) {
      rejections++;
      out().rejected(new Rejection(reason, numbered(detail), records));
    } else if (!isRejectedTogether(reason, records)) {
      together.put(reason, new RejectedTogether(numbered(detail), records));
    }
  }

  /** Ends the current record; returns how many records it stands for. */
  private int endRejected() {
    int records = 1 + within;
    within = 0;
    isInRecord = false;
    return records;
  }

  /** Rejects the current record, which was skipped since it is past the limit. */
  void rejectPastLimit() {
    isInRecord = false;
    if (!isRejectedTogether(RejectionReason.TOO_MANY_RECORDS, 1)) {
      together.put(
          RejectionReason.TOO_MANY_RECORDS,
          new RejectedTogether("expected at most " + maxRecords + " records in a message", 1));
    }
  }

  /** Rejects the message, or the rest of it. */
  void rejectMessage(RejectionReason reason, String detail) {
    if (!isInRecord) {
      found++;
    }
    out().rejected(new Rejection(reason, detail, endRejected()));
  }

  private String numbered(String detail) {
    return "record " + found + ": " + detail;
  }

  /**
   * Counts invalid records with the others of its reason, unless it is the first. It allocates
   * nothing per record, since a message may contain millions.
   */
  private boolean isRejectedTogether(RejectionReason reason, int records) {
    RejectedTogether others = together.get(reason);
    if (others != null) {
      others.records += records;
    }
    return others != null;
  }

  /** Ends the message: forwards the joint rejections, one for each reason. */
  void finish() {
    if (together.isEmpty()) {
      // The usual case: iterating over the empty map would allocate two objects per message.
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
