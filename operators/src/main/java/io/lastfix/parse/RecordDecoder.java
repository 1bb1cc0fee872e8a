package io.lastfix.parse;

import io.lastfix.parse.profile.Profile;
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
 */
public interface RecordDecoder {
  /**
   * Decodes one message. Exceptions of the consumer are propagated.
   *
   * @param message the original bytes; null (a Kafka tombstone) and empty are rejected
   */
  void decode(byte @Nullable [] message, RecordConsumer out);

  /** Returns a decoder that admits records of all periods and users. */
  static RecordDecoder of(
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
  static RecordDecoder of(
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
}
