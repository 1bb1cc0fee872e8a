package io.lastfix.parse;

import io.lastfix.model.LocationRecord;
import io.lastfix.model.RejectionReason;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.reader.MalformedMessageException;
import io.lastfix.parse.reader.PathNode;
import io.lastfix.parse.reader.RecordFields;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the bytes of one message into records, as the profile defines. It calls the consumer at
 * least once for any bytes, and throws no exception for any.
 *
 * <p>Gzip is recognised by its magic bytes. A message may contain many independent records: the
 * decoder rejects an invalid one and forwards the valid ones around it. If the message is malformed
 * from some offset on, the records before it count, and one rejection carries the offset. Decoding
 * continues after that only for JSON objects on separate lines.
 *
 * <p>Not thread-safe: a decoder reuses its buffers. The {@link DecoderLimits} limit its memory.
 *
 * <p>This class has what all formats share: limits, gzip, the outcome of a message. A format's
 * decoder finds the records and collects the texts of their fields.
 */
public abstract class RecordDecoder {
  private final DecoderLimits limits;
  private final RecordAssembler assembler;

  /** The record's own node among the profile's paths. */
  final PathNode recordNode;

  /** The texts of the record being read. */
  final RecordFields fields;

  /** Receives the records. */
  final MessageOutcome outcome;

  RecordDecoder(DecoderLimits limits, RecordAssembler assembler) {
    this.limits = limits;
    this.assembler = assembler;
    this.recordNode = assembler.recordNode();
    this.fields = assembler.fields();
    this.outcome = new MessageOutcome(limits);
  }

  /** Returns a decoder that admits records of all periods and users. */
  public static RecordDecoder of(
      Profile profile, DecoderLimits limits, TimestampLimits timestampLimits, RecordClock clock) {
    return of(profile, limits, timestampLimits, PartitionAdmission.OF_ALL, clock, null);
  }

  /**
   * Returns a decoder for messages of that profile.
   *
   * @param admission queried once for each record that is valid in all other respects
   * @param clock compared with the records' timestamps; queried for each record
   * @param senders queried once for each record with a readable user, before its place and time;
   *     null: the records may be anyone's
   */
  public static RecordDecoder of(
      Profile profile,
      DecoderLimits limits,
      TimestampLimits timestampLimits,
      PartitionAdmission admission,
      RecordClock clock,
      @Nullable SenderCheck senders) {
    RecordAssembler assembler =
        new RecordAssembler(profile, limits, timestampLimits, admission, clock, senders);
    return switch (profile.format()) {
      case XML -> new XmlRecordDecoder(profile, limits, assembler);
      case JSON -> new JsonRecordDecoder(profile, limits, assembler);
      case FORM -> new FormRecordDecoder(profile, limits, assembler);
    };
  }

  /**
   * Decodes one message. Exceptions of the consumer are propagated.
   *
   * @param message the original bytes; null (a Kafka tombstone) and empty are rejected
   */
  public final void decode(byte @Nullable [] message, RecordConsumer out) {
    outcome.start(out, message == null ? 0 : message.length);
    try {
      decodeRecords(content(message));
      if (outcome.foundSoFar() == 0) {
        outcome.rejectMessage(
            RejectionReason.MISSING_FIELD, "no " + nameOfRecord() + " in the message");
      }
    } catch (MalformedMessageException e) {
      outcome.rejectMessage(e.reason(), detail(e));
    }
    outcome.finish();
  }

  private String detail(MalformedMessageException e) {
    int records = outcome.foundSoFar();
    String what = String.valueOf(e.getMessage());
    if (records == 0) {
      return what;
    }
    return what + (outcome.isInRecord() ? ", in record " : ", after record ") + records;
  }

  private byte[] content(byte @Nullable [] message) throws MalformedMessageException {
    if (message == null || message.length == 0) {
      throw new MalformedMessageException(RejectionReason.MALFORMED, "the message is empty");
    }
    if (message.length > limits.maxMessageBytes()) {
      throw new MalformedMessageException(
          RejectionReason.MESSAGE_TOO_LARGE, limits.tooLarge(message.length));
    }
    return Gunzip.isGzip(message)
        ? Gunzip.inflate(message, limits.maxDecompressedBytes())
        : message;
  }

  /** Forwards the record whose fields were collected, rejects it, or counts it as none. */
  final void endRecord() {
    LocationRecord record = assembler.assemble();
    if (record != null) {
      outcome.accept(record, assembler.isPositionIgnored(), assembler.isCellIgnored());
      return;
    }
    if (assembler.isNoRecord()) {
      outcome.notRecord();
      return;
    }
    RejectionReason failure = fields.failure();
    if (failure == null) {
      throw new IllegalStateException("A record was neither assembled nor rejected");
    }
    outcome.rejectRecord(failure, fields.failureDetail());
  }

  final int maxNestingDepth() {
    return limits.maxNestingDepth();
  }

  /** Returns the profile's name for a record, for messages. */
  abstract String nameOfRecord();

  /**
   * Finds the records. Calls {@link MessageOutcome#found} for each, then fills in the fields and
   * calls {@link #endRecord}, or rejects it; past the limit, skips and rejects it.
   *
   * @throws MalformedMessageException if the rest of the message cannot be read
   */
  abstract void decodeRecords(byte[] content) throws MalformedMessageException;
}
