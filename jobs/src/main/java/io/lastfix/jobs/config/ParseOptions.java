package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.SettingsReader;
import io.lastfix.parse.DecoderLimits;
import io.lastfix.parse.TimestampLimits;
import io.lastfix.parse.UserRule;
import io.lastfix.store.history.HistoryRetention;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the job reads messages: the keys {@code parse.}.
 *
 * @param decoderLimits limits of a message
 * @param timestampLimits limits of a record's timestamp
 * @param userRule whose records a message may have
 * @param checkedProfiles the profiles to which {@code userRule} applies; empty: all
 */
public record ParseOptions(
    DecoderLimits decoderLimits,
    TimestampLimits timestampLimits,
    UserRule userRule,
    List<String> checkedProfiles) {
  static final Key<Integer> MAX_MESSAGE_SIZE =
      Key.bytes(
          "parse.max-message-size",
          "1 mb",
          "Maximum size of a message. The job rejects a larger one without reading it.");

  static final Key<Integer> MAX_DECOMPRESSED_SIZE =
      Key.bytes(
          "parse.max-decompressed-size",
          "16 mb",
          "Maximum decompressed size of a gzip message. The job stops decompressing there, and"
              + " rejects the message.");

  static final Key<Integer> MAX_RECORDS_PER_MESSAGE =
      Key.atLeastOne(
          "parse.max-records-per-message",
          10_000,
          "Maximum number of records in a message. The job rejects the records after these.");

  static final Key<Integer> MAX_REJECTIONS_PER_MESSAGE =
      Key.atLeastOne(
          "parse.max-rejections-per-message",
          100,
          "Maximum number of separate rejections per message. The job rejects each invalid record"
              + " separately, with the whole message. After this number it rejects the remaining ones"
              + " together, with their count in the header 'records'.");

  static final Key<Integer> MAX_NESTING_DEPTH =
      Key.atLeastOne(
          "parse.max-nesting-depth",
          64,
          "Maximum nesting depth of elements or objects. The job rejects deeper nesting.");

  static final Key<Integer> MAX_TEXT_LENGTH =
      Key.atLeastOne(
          "parse.max-text-length",
          256,
          "Maximum length of a field in characters. The job rejects a record with a longer field.");

  static final Key<Duration> MAX_TIMESTAMP_AHEAD =
      Key.positiveDuration(
          "parse.max-timestamp-ahead",
          "5 min",
          "How far a record's timestamp may be ahead of the time of its message. That is the"
              + " broker's if the topic stores it (LogAppendTime), otherwise the TaskManager's"
              + " clock. The job rejects a record that is further ahead: it would stay the newest of"
              + " its user until its time comes.");

  static final Key<Instant> MIN_TIMESTAMP =
      Key.text(
              "parse.min-timestamp",
              "2000-01-01T00:00:00Z",
              "The earliest timestamp of a record. The job rejects an earlier one.")
          .as(ParseOptions::parseInstant);

  static final Key<UserRule> CHECK_USERS =
      Key.oneOf(
          "parse.check-users",
          UserRule.PROVED,
          "Whether a record's user has to be the device that sent the message, or one that the"
              + " device's group may speak for. The job rejects other records as not-its-user. 'off':"
              + " no. 'proved': yes, if a gateway has proved who sent the message (header auth: signed"
              + " or basic); other messages may have records of anyone. 'all': yes, and the job also"
              + " rejects the records of messages without a proved sender.");

  static final Key<List<String>> CHECK_USERS_OF =
      Key.list(
          "parse.check-users-of",
          "",
          "The profiles to which parse.check-users applies, separated by commas; each is one of"
              + " profiles.names. Empty: all.");

  /** Returns whose records a message of that profile may have. */
  public UserRule userRule(String profile) {
    return checkedProfiles.isEmpty() || checkedProfiles.contains(profile) ? userRule : UserRule.OFF;
  }

  private static Instant parseInstant(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("expected a time such as 2026-11-20T12:00:00Z", e);
    }
  }

  /**
   * Reads the keys.
   *
   * @param profileNames the job's profiles
   * @param retention retention of History, since older records are rejected; null: unlimited
   */
  static ParseOptions read(
      SettingsReader reader, List<String> profileNames, @Nullable HistoryRetention retention) {
    List<String> checked = reader.get(CHECK_USERS_OF);
    // A misspelt name would leave its profile unchecked in silence.
    reader.require(
        profileNames.containsAll(checked), CHECK_USERS_OF, "names that are in profiles.names");
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
        checked);
  }
}
