package io.lastfix.jobs.config;

import io.lastfix.analytics.area.Areas;
import io.lastfix.analytics.counts.Grouping;
import io.lastfix.analytics.timeline.TimelineOptions;
import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.SettingsReader;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.PartitionPeriod;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the analytics job computes, and where it keeps it: the keys {@code analytics.}.
 *
 * @param numbers the kinds of numbers; one or more
 * @param grouping by what records are counted
 * @param outOfOrderness how much earlier than the newest record the next one may be; later ones
 *     rewrite numbers that were closed
 * @param timeline how records become visits
 * @param minimumGroup density and flows of fewer devices are withheld
 * @param countsPrefix prefix of the collections of counts; the other kinds have their names
 * @param period of all collections, as of History
 * @param countsTopic topic of counts
 */
public record AnalyticsOptions(
    List<NumberKind> numbers,
    Grouping grouping,
    Duration outOfOrderness,
    TimelineOptions timeline,
    int minimumGroup,
    String countsPrefix,
    PartitionPeriod period,
    String countsTopic)
    implements Serializable {
  static final Key<List<NumberKind>> NUMBERS =
      Key.list(
              "analytics.numbers",
              "counts, density, flows, stays, trips",
              "What the analytics job computes, separated by commas: counts, density, flows, stays,"
                  + " trips. Stays and trips name users.")
          .as(names -> names.stream().map(NumberKind::ofText).distinct().toList())
          .where(kinds -> !kinds.isEmpty(), "at least one");

  static final Key<List<CountBy>> COUNTS_BY =
      Key.list(
              "analytics.counts-by",
              "total, cell, area",
              "By what records are counted, separated by commas: total, cell, area (the S2 cell of the"
                  + " position), network (mcc-mnc) or source (of the position). Each costs a message per"
                  + " group and second. After one was added, windows of the hour before have numbers that"
                  + " are too small: run lastfix analyze counts.")
          .as(names -> names.stream().map(CountBy::ofText).distinct().toList())
          .where(by -> !by.isEmpty(), "at least one");

  static final Key<Integer> AREA_LEVEL =
      Key.number(
          "analytics.area-level",
          Areas.DEFAULT_LEVEL,
          0,
          Areas.MAX_LEVEL,
          "Level of the S2 cells of areas: 0 (a sixth of the earth) to 30 (1 cm²); each level has"
              + " four times the cells. 13 is about 1.3 km².");

  static final Key<Duration> OUT_OF_ORDERNESS =
      upTo(
          1,
          "analytics.out-of-orderness",
          "10 s",
          "A window of 10 s closes this long after its end, by the records' timestamps. A record"
              + " that comes later, up to an hour, rewrites its window.");

  static final Key<String> COUNTS_COLLECTION_PREFIX =
      Key.nameText(
          "analytics.counts-collection-prefix",
          "counts",
          "Prefix of the collections of counts, in the database of History, one for each period of"
              + " History: counts_2026_11.");

  static final Key<String> COUNTS_TOPIC =
      Key.text(
          "analytics.counts-topic",
          "lastfix.counts",
          "Topic to which the analytics job writes each number it publishes.");

  static final Key<Integer> MINIMUM_GROUP =
      Key.number(
              "analytics.minimum-group",
              15,
              "Density and flows of fewer devices are withheld. 0 withholds nothing. What is stored"
                  + " keeps the former value, until lastfix analyze replaces it.")
          .where(devices -> devices >= 0, "0 or more");

  static final Key<Duration> ABSENCE =
      upTo(
          7,
          "analytics.absence",
          "30 min",
          "A device without a record for longer than this is absent: it does not count for density,"
              + " and its stay is over. The same value must go to lastfix analyze. A change needs a"
              + " start without a savepoint.");

  static final Key<Duration> PING_PONG =
      Key.duration(
          "analytics.ping-pong",
          "2 min",
          "A device that returns to a place within this time of leaving it has not moved. Not longer"
              + " than analytics.absence; 0 s turns the filter off. A change needs a start without a"
              + " savepoint.");

  static final Key<Duration> MINIMUM_STAY =
      upTo(
          7,
          "analytics.minimum-stay",
          "10 min",
          "A visit of at least this length is a stay. A change needs a start without a savepoint.");

  /** Returns the prefixes of the collections of all kinds, and of those of late records. */
  List<String> collectionPrefixes() {
    return Stream.concat(
            Stream.of(NumberKind.values()).map(this::collections), Stream.of(lateRecords()))
        .map(NumberCollections::collectionPrefix)
        .toList();
  }

  /** Returns the collections of the records that came too late for the stream. */
  public NumberCollections lateRecords() {
    return NumberCollections.ofLateRecords(period);
  }

  /** Returns the collections of a kind. */
  public NumberCollections collections(NumberKind kind) {
    return kind == NumberKind.COUNTS
        ? NumberCollections.ofWindows(countsPrefix, period)
        : NumberCollections.of(kind, period);
  }

  private static Key<Duration> upTo(int days, String name, String byDefault, String description) {
    return Key.duration(name, byDefault, description)
        .where(
            duration -> duration.toMillis() >= 1 && duration.compareTo(Duration.ofDays(days)) <= 0,
            "1 ms to " + days + " d");
  }

  /**
   * Reads the keys.
   *
   * @param taken the topics that other keys name; receives one more
   * @param period of History's partitions
   * @param historyPrefix prefix of History's collections
   */
  static AnalyticsOptions read(
      SettingsReader reader,
      KafkaOptions kafka,
      Set<String> taken,
      PartitionPeriod period,
      String historyPrefix) {
    String prefix = reader.get(COUNTS_COLLECTION_PREFIX);
    // history and history_2026 would both be a prefix of history_2026_11.
    reader.require(
        !prefix.equals(historyPrefix)
            && HistoryPartition.parse(historyPrefix, prefix + "_11").isEmpty(),
        COUNTS_COLLECTION_PREFIX,
        "another name than " + HistoryKeys.COLLECTION_PREFIX.name());
    String topic = reader.get(COUNTS_TOPIC);
    reader.require(
        taken.add(topic) && !topic.startsWith(kafka.locationTopicPrefix()),
        COUNTS_TOPIC,
        KafkaOptions.NEW_TOPIC);
    Stream.concat(
            Stream.of(NumberKind.values())
                .filter(kind -> kind != NumberKind.COUNTS)
                .map(NumberKind::text),
            Stream.of(NumberCollections.LATE_PREFIX))
        .forEach(
            used ->
                reader.require(
                    !prefix.equals(used) && !historyPrefix.equals(used),
                    prefix.equals(used) ? COUNTS_COLLECTION_PREFIX : HistoryKeys.COLLECTION_PREFIX,
                    "another name than " + used + ", which the analytics job uses"));
    Duration absence = reader.get(ABSENCE);
    Duration pingPong = reader.get(PING_PONG);
    reader.require(
        pingPong.compareTo(absence) <= 0, PING_PONG, "not longer than " + ABSENCE.name());
    int areaLevel = reader.get(AREA_LEVEL);
    return new AnalyticsOptions(
        reader.get(NUMBERS),
        new Grouping(reader.get(COUNTS_BY), areaLevel),
        reader.get(OUT_OF_ORDERNESS),
        new TimelineOptions(
            absence,
            pingPong,
            reader.get(MINIMUM_STAY),
            TimelineOptions.defaults().lateness(),
            areaLevel),
        reader.get(MINIMUM_GROUP),
        prefix,
        period,
        topic);
  }
}
