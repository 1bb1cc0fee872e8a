package io.lastfix.jobs.config;

import static org.apache.flink.configuration.ConfigOptions.key;

import io.lastfix.parse.DecoderLimits;
import io.lastfix.parse.TimestampLimits;
import io.lastfix.store.history.HistoryRetention;
import java.time.Duration;
import java.time.Instant;
import org.apache.flink.configuration.MemorySize;
import org.jspecify.annotations.Nullable;

/** The keys {@code parse.}: what a message may hold. */
final class ParseKeys {
  static final Key<Integer> MAX_MESSAGE_SIZE =
      Key.bytes(
          key("parse.max-message-size")
              .memoryType()
              .defaultValue(MemorySize.ofMebiBytes(1))
              .withDescription("A larger message is rejected unread."));

  static final Key<Integer> MAX_DECOMPRESSED_SIZE =
      Key.bytes(
          key("parse.max-decompressed-size")
              .memoryType()
              .defaultValue(MemorySize.ofMebiBytes(16))
              .withDescription(
                  "A gzip message that inflates to more is rejected, and never inflated further."));

  static final Key<Integer> MAX_RECORDS_PER_MESSAGE =
      Key.atLeastOne(
          key("parse.max-records-per-message")
              .intType()
              .defaultValue(10_000)
              .withDescription("Records after so many in one message are rejected."));

  static final Key<Integer> MAX_REJECTIONS_PER_MESSAGE =
      Key.atLeastOne(
          key("parse.max-rejections-per-message")
              .intType()
              .defaultValue(100)
              .withDescription(
                  "Each bad record of a message is rejected by itself, with the whole message;"
                      + " after so many, the rest of them are rejected together, with their count"
                      + " in the header 'records'."));

  static final Key<Integer> MAX_NESTING_DEPTH =
      Key.atLeastOne(
          key("parse.max-nesting-depth")
              .intType()
              .defaultValue(64)
              .withDescription("Elements or objects inside one another; deeper is rejected."));

  static final Key<Integer> MAX_TEXT_LENGTH =
      Key.atLeastOne(
          key("parse.max-text-length")
              .intType()
              .defaultValue(256)
              .withDescription("Characters of one field; a longer one is rejected."));

  static final Key<Duration> MAX_TIMESTAMP_AHEAD =
      Key.positive(
          key("parse.max-timestamp-ahead")
              .durationType()
              .defaultValue(Duration.ofMinutes(5))
              .withDescription(
                  "A record from further in the future, against the TaskManager's clock, is"
                      + " rejected: newest-wins would hold that user to it."));

  static final Key<Instant> MIN_TIMESTAMP =
      Key.instant(
          key("parse.min-timestamp")
              .stringType()
              .defaultValue("2000-01-01T00:00:00Z")
              .withDescription("A record from before this moment is rejected."));

  static final Key<Boolean> FAST =
      Key.of(
          key("parse.fast")
              .booleanType()
              .defaultValue(true)
              .withDescription(
                  "Read messages of the common form with Lastfix's own XML and JSON readers. false:"
                      + " every message is read by the XML and JSON libraries alone. The records"
                      + " and rejections are the same."));

  private ParseKeys() {}

  /**
   * Reads them.
   *
   * @param retention how long History is kept: an older record is rejected; null: for ever
   */
  static ParseOptions read(SettingsReader reader, @Nullable HistoryRetention retention) {
    return new ParseOptions(
        new DecoderLimits(
            reader.get(MAX_MESSAGE_SIZE),
            reader.get(MAX_DECOMPRESSED_SIZE),
            reader.get(MAX_RECORDS_PER_MESSAGE),
            reader.get(MAX_NESTING_DEPTH),
            reader.get(MAX_TEXT_LENGTH),
            reader.get(MAX_REJECTIONS_PER_MESSAGE)),
        new TimestampLimits(reader.get(MAX_TIMESTAMP_AHEAD), reader.get(MIN_TIMESTAMP), retention),
        reader.get(FAST));
  }
}
