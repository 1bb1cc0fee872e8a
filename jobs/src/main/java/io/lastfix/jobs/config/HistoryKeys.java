package io.lastfix.jobs.config;

import static org.apache.flink.configuration.ConfigOptions.key;

import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.HistoryRetention;
import io.lastfix.store.history.HistoryShardKey;
import io.lastfix.store.history.PartitionLimits;
import io.lastfix.store.history.PartitionPeriod;
import java.time.Duration;
import org.apache.flink.util.TimeUtils;
import org.jspecify.annotations.Nullable;

/** The keys {@code history.}: the layout of History, and its partitions. */
final class HistoryKeys {
  static final Key<PartitionPeriod> PERIOD =
      Key.of(
          key("history.period")
              .enumType(PartitionPeriod.class)
              .defaultValue(PartitionPeriod.MONTH)
              .withDescription("One History collection for each MONTH, DAY or HOUR (UTC)."));

  static final Key<String> COLLECTION_PREFIX =
      Key.name(
          key("history.collection-prefix")
              .stringType()
              .defaultValue("history")
              .withDescription(
                  "History collections are named by this, an underscore and the period."));

  static final Key<HistoryShardKey> SHARD_KEY =
      Key.of(
          key("history.shard-key")
              .enumType(HistoryShardKey.class)
              .defaultValue(HistoryShardKey.USER_HASHED)
              .withDescription(
                  "What History is sharded on, on a sharded cluster: 'user-hashed' ({user:"
                      + " \"hashed\", ts: 1}) or 'user' ({user: 1, ts: 1}). A collection that is"
                      + " there with another key is refused, and left as it is."));

  static final Key<Boolean> CELL_INDEX =
      Key.of(
          key("history.cell-index")
              .booleanType()
              .defaultValue(false)
              .withDescription(
                  "Keep an index on (cell, ts), for who was in a cell at some time. It costs every"
                      + " insert."));

  static final Key<String> VIEW =
      Key.of(
              key("history.view")
                  .stringType()
                  .noDefaultValue()
                  .withDescription(
                      "Name of the view that shows all partitions of History (the newest 900 of"
                          + " more) as one collection. Not set: the collection prefix. Empty"
                          + " (\"\"): there is no view."))
          .where(text -> text.isBlank() || Key.isName(text), Key.A_NAME)
          .as(String::strip);

  static final Key<Duration> RETENTION =
      Key.of(
              key("history.retention")
                  .stringType()
                  .noDefaultValue()
                  .withDescription(
                      "How long History is kept, such as '90 d'; one period or more. Not set: for"
                          + " ever. A partition is expired when it was over that long ago: its"
                          + " records are rejected, and with 'provision: auto' the job drops it,"
                          + " once none of its records can be on their way any more. Last Known"
                          + " Location is kept."))
          .as(HistoryKeys::duration);

  static final Key<Integer> MAX_NEW_PARTITIONS_PER_MINUTE =
      Key.atLeastOne(
          key("history.max-new-partitions-per-minute")
              .intType()
              .defaultValue(60)
              .withDescription(
                  "With 'provision: auto', records may have so many partitions made within a"
                      + " minute, all subtasks together; a record that needs one more is rejected"
                      + " ('too-many-partitions'). Those of the last 72 hours are always made. A"
                      + " start of the job allows one minute's number at once, and at least one to"
                      + " each subtask. Make the partitions of a larger backfill beforehand"
                      + " ('lastfix partitions create')."));

  static final Key<Integer> MAX_PARTITIONS =
      Key.atLeastOne(
          key("history.max-partitions")
              .intType()
              .defaultValue(5_000)
              .withDescription(
                  "The same for partitions in all: with so many there, only those of the last 72"
                      + " hours are made for a record. Subtasks do not know what others let in at"
                      + " the same time, so it can be exceeded by that."));

  static final Key<OnOtherPeriod> ON_OTHER_PERIOD =
      Key.of(
          key("history.on-other-period")
              .enumType(OnOtherPeriod.class)
              .defaultValue(OnOtherPeriod.FAIL)
              .withDescription(
                  "If History has partitions of another period, since history.period was changed:"
                      + " 'fail' refuses the submission, whatever 'provision' says; empty ones do"
                      + " not count. 'continue' writes partitions of the new period beside them; a"
                      + " record that is stored in an old one and is read again (from an older"
                      + " savepoint, sent again, or replayed) is then stored a second time. Only a"
                      + " submission looks: with 'fail' too, one that MongoDB does not answer"
                      + " starts the job, with a warning."));

  private HistoryKeys() {}

  /**
   * Reads the layout.
   *
   * @param longestWay how long a record may take from the parser to History
   * @param neighbour the collection of Last Known Location if it is in the same database
   */
  static HistoryOptions read(
      SettingsReader reader, Duration longestWay, @Nullable String neighbour) {
    PartitionPeriod period = reader.get(PERIOD);
    String prefix = reader.get(COLLECTION_PREFIX);
    return new HistoryOptions(
        period,
        prefix,
        reader.get(SHARD_KEY),
        reader.get(CELL_INDEX),
        view(reader, prefix, neighbour),
        reader.convertIfGiven(
            RETENTION,
            kept -> HistoryRetention.of(period, possible(kept, period), longestWay),
            null));
  }

  private static String view(SettingsReader reader, String prefix, @Nullable String neighbour) {
    String given = reader.getIfGiven(VIEW);
    String view = given == null ? prefix : given;
    boolean isPossible = HistoryPartition.parse(prefix, view).isEmpty();
    reader.require(isPossible, VIEW, "a name that no partition has");
    reader.require(
        !view.equals(neighbour),
        VIEW,
        "another name than " + LastKnownLocationKeys.COLLECTION.name());
    return isPossible ? view : prefix;
  }

  private static Duration duration(String text) {
    try {
      return TimeUtils.parseDuration(text);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new IllegalArgumentException("expected a duration such as 90 d", e);
    }
  }

  private static Duration possible(Duration kept, PartitionPeriod period) {
    if (!HistoryRetention.isPossible(period, kept)) {
      throw new IllegalArgumentException("expected " + HistoryRetention.expected(period));
    }
    return kept;
  }

  static PartitionLimits partitionLimits(SettingsReader reader) {
    return new PartitionLimits(
        reader.get(MAX_NEW_PARTITIONS_PER_MINUTE), reader.get(MAX_PARTITIONS));
  }
}
