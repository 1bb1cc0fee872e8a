package io.lastfix.parse;

import io.lastfix.parse.profile.Profile;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns the bytes of one message into records, by a profile. Any bytes end in at least one call of
 * the consumer; none make it throw.
 *
 * <p>Gzip is recognised by its magic bytes. A message may hold many records: each stands for
 * itself, so a bad one is rejected and the good ones around it go on. Where the message stops being
 * well-formed, the records before that place stand, and one rejection carries its offset; only JSON
 * objects on lines of their own go on after it.
 *
 * <p>Not thread-safe: a decoder reuses its buffers. Its memory is bounded by the {@link
 * DecoderLimits}.
 */
public interface RecordDecoder {
  /**
   * Decodes one message. What the consumer throws passes through.
   *
   * @param message the bytes as they came in; null (a Kafka tombstone) and empty are rejected
   */
  void decode(byte @Nullable [] message, RecordConsumer out);

  /** A fast decoder for messages of that profile, which takes records of all periods. */
  static RecordDecoder of(
      Profile profile, DecoderLimits limits, TimestampLimits timestampLimits, LongSupplier clock) {
    return of(profile, limits, timestampLimits, clock, true);
  }

  /**
   * A decoder for messages of that profile, which takes records of all periods.
   *
   * @param fast whether {@link io.lastfix.parse.fast} may read plain messages
   */
  static RecordDecoder of(
      Profile profile,
      DecoderLimits limits,
      TimestampLimits timestampLimits,
      LongSupplier clock,
      boolean fast) {
    return of(
        profile, limits, timestampLimits, PartitionAdmission.OF_ALL, RecordClock.of(clock), fast);
  }

  /**
   * A decoder for messages of that profile.
   *
   * @param admission queried once for each record that is good in all other respects
   * @param clock what records' times are judged against; queried for each record
   * @param fast whether {@link io.lastfix.parse.fast} may read plain messages; if not, the XML and
   *     JSON libraries read all of them. The records are the same.
   */
  static RecordDecoder of(
      Profile profile,
      DecoderLimits limits,
      TimestampLimits timestampLimits,
      PartitionAdmission admission,
      RecordClock clock,
      boolean fast) {
    return switch (profile.format()) {
      case XML -> new XmlRecordDecoder(profile, limits, timestampLimits, admission, clock, fast);
      case JSON -> new JsonRecordDecoder(profile, limits, timestampLimits, admission, clock, fast);
    };
  }
}
