package io.lastfix.parse;

import io.lastfix.model.LocationRecord;
import io.lastfix.model.RejectionReason;
import io.lastfix.parse.reader.MalformedMessageException;
import io.lastfix.parse.reader.PathNode;
import io.lastfix.parse.reader.RecordFields;
import org.jspecify.annotations.Nullable;

/**
 * The common part of the decoders of all formats: limits, gzip, the outcome of a message. A
 * format's decoder finds the records and collects the texts of their fields.
 */
abstract class MessageDecoder implements RecordDecoder {
  private final DecoderLimits limits;
  private final RecordAssembler assembler;

  /** The record's own node among the profile's paths. */
  final PathNode recordNode;

  /** The texts of the record being read. */
  final RecordFields fields;

  /** Receives the records. */
  final MessageOutcome outcome;

  MessageDecoder(DecoderLimits limits, RecordAssembler assembler) {
    this.limits = limits;
    this.assembler = assembler;
    this.recordNode = assembler.recordNode();
    this.fields = assembler.fields();
    this.outcome = new MessageOutcome(limits);
  }

  @Override
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
