package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.Quantity;
import io.lastfix.kit.config.SettingsReader;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.HistoryRetention;
import io.lastfix.store.history.HistoryShardKey;
import io.lastfix.store.history.PartitionLimits;
import io.lastfix.store.history.PartitionPeriod;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys {@code history.}: the layout of History, and its partitions. */
final class HistoryKeys {
  static final Key<PartitionPeriod> PERIOD =
      Key.oneOf(
          "history.period",
          PartitionPeriod.MONTH,
          PartitionPeriod::name,
          "The period of a partition: the job writes one History collection for each MONTH, DAY or"
              + " HOUR (UTC).");

  static final Key<String> COLLECTION_PREFIX =
      Key.nameText(
          "history.collection-prefix",
          "history",
          "The name of a History collection is this prefix, an underscore and the period.");

  static final Key<HistoryShardKey> SHARD_KEY =
      Key.oneOf(
          "history.shard-key",
          HistoryShardKey.USER_HASHED,
          "Shard key of History on a sharded cluster: 'user-hashed' ({user: \"hashed\", ts: 1}) or"
              + " 'user' ({user: 1, ts: 1}). If a collection exists with another key, the job fails"
              + " and the collection stays as it is.");

  static final Key<Boolean> CELL_INDEX =
      Key.flag(
          "history.cell-index",
          false,
          "Keep an index on (cell, ts), for queries of the users in a cell. It makes every insert"
              + " more expensive.");

  static final Key<String> VIEW =
      Key.anyText(
              "history.view",
              null,
              "Name of the view that shows all partitions of History as one collection. It shows at most"
                  + " the newest 900. If not set, the view has the collection prefix as its name. If empty"
                  + " (\"\"), there is no view.")
          .where(text -> text.isBlank() || Key.isName(text), Key.A_NAME)
          .as(String::strip);

  static final Key<Duration> RETENTION =
      Key.anyText(
              "history.retention",
              null,
              "How long the job keeps History, such as '90 d'; one period or more. If not set, History"
                  + " is kept forever. A partition expires this long after its end. The job rejects"
                  + " records of an expired partition. With 'provision: auto' it also drops the partition,"
                  + " once none of its records can be in flight. The numbers of its time go with it."
                  + " Last Known Location is kept, also a fix that is older.")
          .as(text -> Quantity.duration(text, "a duration such as 90 d"));

  static final Key<Integer> MAX_NEW_PARTITIONS_PER_MINUTE =
      Key.atLeastOne(
          "history.max-new-partitions-per-minute",
          60,
          "With 'provision: auto', maximum number of partitions that the job creates for records in"
              + " a minute, over all subtasks. The job rejects a record that needs one more"
              + " ('too-many-partitions'). It always creates the partitions of the last 72 hours. At"
              + " its start the job may create one minute's number at once, and at least one in each"
              + " subtask. Create the partitions of a larger backfill beforehand ('lastfix partitions"
              + " create').");

  static final Key<Integer> MAX_PARTITIONS =
      Key.atLeastOne(
          "history.max-partitions",
          5_000,
          "Maximum number of partitions. If as many exist, the job creates only those of the last 72"
              + " hours. Subtasks count separately, so together they may slightly exceed it.");

  static final Key<OnOtherPeriod> ON_OTHER_PERIOD =
      Key.oneOf(
          "history.on-other-period",
          OnOtherPeriod.FAIL,
          "What a submission does if History has partitions of another period, because"
              + " history.period was changed. 'fail' refuses the submission with any value of"
              + " 'provision'; empty partitions do not count. 'continue' writes partitions of the new"
              + " period beside the old ones. A record of an old partition that is read again (from an"
              + " older savepoint, sent again, or replayed) is then stored a second time. Only a"
              + " submission checks this. If MongoDB does not answer, the job starts with a warning,"
              + " also with 'fail'.");

  static final Key<Relocate> RELOCATE =
      Key.oneOf(
          "history.relocate",
          Relocate.NEVER,
          "When records that were stored without a position, because their cell was unknown, get the"
              + " one that the catalogue has by then. 'never': only by 'lastfix relocate'."
              + " 'after-import': 'lastfix catalog import' also starts that job if it has changed the"
              + " catalogue and a record lacks its position. The location job does not use this key.");

  private HistoryKeys() {}

  /**
   * Reads the layout.
   *
   * @param longestWay maximum time of a record from the parser to History
   * @param neighbour the collection of Last Known Location if it is in the same database
   */
  static HistoryOptions read(
      SettingsReader reader, Duration longestWay, @Nullable String neighbour) {
    PartitionPeriod period = reader.get(PERIOD);
    String prefix = reader.get(COLLECTION_PREFIX);
    Duration kept = reader.getIfGiven(RETENTION);
    boolean isPossible = kept == null || HistoryRetention.isPossible(period, kept);
    reader.check(isPossible, RETENTION, "expected " + HistoryRetention.expected(period));
    return new HistoryOptions(
        period,
        prefix,
        reader.get(SHARD_KEY),
        reader.get(CELL_INDEX),
        view(reader, prefix, neighbour),
        kept == null || !isPossible ? null : HistoryRetention.of(period, kept, longestWay),
        List.of());
  }

  private static String view(SettingsReader reader, String prefix, @Nullable String neighbour) {
    String given = reader.getIfGiven(VIEW);
    String view = given == null ? prefix : given;
    boolean isPossible = HistoryPartition.parse(prefix, view).isEmpty();
    reader.require(isPossible, VIEW, "a name that no partition can have");
    reader.require(
        !view.equals(neighbour),
        VIEW,
        "another name than " + LastKnownLocationKeys.COLLECTION.name());
    return isPossible ? view : prefix;
  }

  static PartitionLimits partitionLimits(SettingsReader reader) {
    return new PartitionLimits(
        reader.get(MAX_NEW_PARTITIONS_PER_MINUTE), reader.get(MAX_PARTITIONS));
  }
}
