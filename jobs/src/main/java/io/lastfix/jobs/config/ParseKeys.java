package io.lastfix.jobs.config;

import static org.apache.flink.configuration.ConfigOptions.key;

import io.lastfix.parse.DecoderLimits;
import io.lastfix.parse.TimestampLimits;
import io.lastfix.parse.UserRule;
import io.lastfix.store.history.HistoryRetention;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.flink.configuration.MemorySize;
import org.jspecify.annotations.Nullable;

/** The keys {@code parse.}: limits of messages and timestamps. */
final class ParseKeys {
  static final Key<Integer> MAX_MESSAGE_SIZE =
      Key.bytes(
          key("parse.max-message-size")
              .memoryType()
              .defaultValue(MemorySize.ofMebiBytes(1))
              .withDescription(
                  "Maximum size of a message. The job rejects a larger one without reading it."));

  static final Key<Integer> MAX_DECOMPRESSED_SIZE =
      Key.bytes(
          key("parse.max-decompressed-size")
              .memoryType()
              .defaultValue(MemorySize.ofMebiBytes(16))
              .withDescription(
                  "Maximum decompressed size of a gzip message. The job stops decompressing"
                      + " there, and rejects the message."));

  static final Key<Integer> MAX_RECORDS_PER_MESSAGE =
      Key.atLeastOne(
          key("parse.max-records-per-message")
              .intType()
              .defaultValue(10_000)
              .withDescription(
                  "Maximum number of records in a message. The job rejects the records after these."));

  static final Key<Integer> MAX_REJECTIONS_PER_MESSAGE =
      Key.atLeastOne(
          key("parse.max-rejections-per-message")
              .intType()
              .defaultValue(100)
              .withDescription(
                  "Maximum number of separate rejections per message. The job rejects each"
                      + " invalid record separately, with the whole message. After this number it"
                      + " rejects the remaining ones together, with their count in the header"
                      + " 'records'."));

  static final Key<Integer> MAX_NESTING_DEPTH =
      Key.atLeastOne(
          key("parse.max-nesting-depth")
              .intType()
              .defaultValue(64)
              .withDescription(
                  "Maximum nesting depth of elements or objects. The job rejects deeper nesting."));

  static final Key<Integer> MAX_TEXT_LENGTH =
      Key.atLeastOne(
          key("parse.max-text-length")
              .intType()
              .defaultValue(256)
              .withDescription(
                  "Maximum length of a field in characters. The job rejects a record with a longer"
                      + " field."));

  static final Key<Duration> MAX_TIMESTAMP_AHEAD =
      Key.positive(
          key("parse.max-timestamp-ahead")
              .durationType()
              .defaultValue(Duration.ofMinutes(5))
              .withDescription(
                  "How far a record's timestamp may be ahead. The job compares it with the"
                      + " TaskManager's clock, and rejects the record if it is further ahead."
                      + " Otherwise that record would stay the newest of its user until its time"
                      + " comes."));

  static final Key<Instant> MIN_TIMESTAMP =
      Key.instant(
          key("parse.min-timestamp")
              .stringType()
              .defaultValue("2000-01-01T00:00:00Z")
              .withDescription(
                  "The earliest timestamp of a record. The job rejects an earlier one."));

  static final Key<UserRule> CHECK_USERS =
      Key.of(
          key("parse.check-users")
              .enumType(UserRule.class)
              .defaultValue(UserRule.PROVED)
              .withDescription(
                  "Whether a record's user has to be the device that sent the message, or one that"
                      + " the device's group may speak for; the job rejects other records as"
                      + " not-its-user. 'off': no. 'proved': yes, if a gateway has proved who sent"
                      + " the message (header auth: signed or basic); other messages may have"
                      + " records of anyone. 'all': yes, and the job also rejects the records of"
                      + " messages without a proved sender."));

  static final Key<List<String>> CHECK_USERS_OF =
      Key.of(
          key("parse.check-users-of")
              .stringType()
              .asList()
              .defaultValues()
              .withDescription(
                  "The profiles to which parse.check-users applies, separated by commas; each is"
                      + " one of profiles.names. Empty: all."));

  private ParseKeys() {}

  /**
   * Reads the keys.
   *
   * @param profileNames the job's profiles
   * @param retention retention of History, since older records are rejected; null: unlimited
   */
  static ParseOptions read(
      SettingsReader reader, List<String> profileNames, @Nullable HistoryRetention retention) {
    return new ParseOptions(
        new DecoderLimits(
            reader.get(MAX_MESSAGE_SIZE),
            reader.get(MAX_DECOMPRESSED_SIZE),
            reader.get(MAX_RECORDS_PER_MESSAGE),
            reader.get(MAX_NESTING_DEPTH),
            reader.get(MAX_TEXT_LENGTH),
            reader.get(MAX_REJECTIONS_PER_MESSAGE)),
        new TimestampLimits(reader.get(MAX_TIMESTAMP_AHEAD), reader.get(MIN_TIMESTAMP), retention),
        reader.get(CHECK_USERS),
        checkedProfiles(reader, profileNames));
  }

  private static List<String> checkedProfiles(SettingsReader reader, List<String> profileNames) {
    List<String> checked = reader.get(CHECK_USERS_OF);
    // A misspelt name would leave its profile unchecked in silence.
    reader.require(
        profileNames.containsAll(checked), CHECK_USERS_OF, "names that are in profiles.names");
    return checked;
  }
}
