package io.lastfix.jobs.config;

import static org.apache.flink.configuration.ConfigOptions.key;

import io.lastfix.analytics.area.Areas;
import io.lastfix.analytics.counts.Grouping;
import io.lastfix.analytics.timeline.TimelineOptions;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.PartitionPeriod;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The keys {@code analytics.}: the job that counts. */
final class AnalyticsKeys {
  static final Key<List<NumberKind>> NUMBERS =
      Key.of(
              key("analytics.numbers")
                  .stringType()
                  .asList()
                  .defaultValues("counts", "density", "flows", "stays", "trips")
                  .withDescription(
                      "What the analytics job computes, separated by commas: counts, density,"
                          + " flows, stays, trips. Stays and trips name users."))
          .as(names -> names.stream().map(NumberKind::ofText).distinct().toList())
          .where(kinds -> !kinds.isEmpty(), "at least one");

  static final Key<List<CountBy>> COUNTS_BY =
      Key.of(
              key("analytics.counts-by")
                  .stringType()
                  .asList()
                  .defaultValues("total", "cell", "area")
                  .withDescription(
                      "By what records are counted, separated by commas: total, cell, area (the"
                          + " S2 cell of the position), network (mcc-mnc) or source (of the"
                          + " position). Each costs a message per group and second. After one was"
                          + " added, windows of the hour before have numbers that are too small:"
                          + " run lastfix analyze counts."))
          .as(names -> names.stream().map(CountBy::ofText).distinct().toList())
          .where(by -> !by.isEmpty(), "at least one");

  static final Key<Integer> AREA_LEVEL =
      Key.of(
              key("analytics.area-level")
                  .intType()
                  .defaultValue(Areas.DEFAULT_LEVEL)
                  .withDescription(
                      "Level of the S2 cells of areas: 0 (a sixth of the earth) to 30 (1 cm²);"
                          + " each level has four times the cells. 13 is about 1.3 km²."))
          .where(level -> level >= 0 && level <= Areas.MAX_LEVEL, "0 to 30");

  static final Key<Duration> OUT_OF_ORDERNESS =
      Key.upTo(
          Duration.ofDays(1),
          "1 d",
          key("analytics.out-of-orderness")
              .durationType()
              .defaultValue(Duration.ofSeconds(10))
              .withDescription(
                  "A window of 10 s closes this long after its end, by the records' timestamps."
                      + " A record that comes later, up to an hour, rewrites its window."));

  static final Key<String> COUNTS_COLLECTION_PREFIX =
      Key.name(
          key("analytics.counts-collection-prefix")
              .stringType()
              .defaultValue("counts")
              .withDescription(
                  "Prefix of the collections of counts, in the database of History, one for each"
                      + " period of History: counts_2026_11."));

  static final Key<String> COUNTS_TOPIC =
      Key.text(
          key("analytics.counts-topic")
              .stringType()
              .defaultValue("lastfix.counts")
              .withDescription(
                  "Topic to which the analytics job writes each number it publishes."));

  static final Key<Integer> MINIMUM_GROUP =
      Key.of(
              key("analytics.minimum-group")
                  .intType()
                  .defaultValue(15)
                  .withDescription(
                      "Density and flows of fewer devices are withheld. 0 withholds nothing. What is"
                          + " stored keeps the former value, until lastfix analyze replaces it."))
          .where(devices -> devices >= 0, "0 or more");

  static final Key<Duration> ABSENCE =
      Key.upTo(
          Duration.ofDays(7),
          "7 d",
          key("analytics.absence")
              .durationType()
              .defaultValue(TimelineOptions.defaults().absence())
              .withDescription(
                  "A device without a record for longer than this is absent: it does not count for"
                      + " density, and its stay is over. The same value must go to lastfix analyze."
                      + " A change needs a start without a savepoint."));

  static final Key<Duration> PING_PONG =
      Key.of(
              key("analytics.ping-pong")
                  .durationType()
                  .defaultValue(TimelineOptions.defaults().pingPong())
                  .withDescription(
                      "A device that returns to a place within this time of leaving it has not"
                          + " moved. Not longer than analytics.absence; 0 s turns the filter off."
                          + " A change needs a start without a savepoint."))
          .where(duration -> !duration.isNegative(), "0 s or more");

  static final Key<Duration> MINIMUM_STAY =
      Key.upTo(
          Duration.ofDays(7),
          "7 d",
          key("analytics.minimum-stay")
              .durationType()
              .defaultValue(TimelineOptions.defaults().minimumStay())
              .withDescription(
                  "A visit of at least this length is a stay. A change needs a start without a"
                      + " savepoint."));

  private AnalyticsKeys() {}

  /**
   * Reads the keys.
   *
   * @param period of History's partitions
   * @param historyPrefix prefix of History's collections
   * @param located topic that the job reads; null: none is configured
   */
  static AnalyticsOptions read(
      SettingsReader reader,
      KafkaOptions kafka,
      DevicesOptions devices,
      PartitionPeriod period,
      String historyPrefix,
      @Nullable String located) {
    String prefix = reader.get(COUNTS_COLLECTION_PREFIX);
    // history and history_2026 would both be a prefix of history_2026_11.
    reader.require(
        !prefix.equals(historyPrefix)
            && HistoryPartition.parse(historyPrefix, prefix + "_11").isEmpty(),
        COUNTS_COLLECTION_PREFIX,
        "another name than " + HistoryKeys.COLLECTION_PREFIX.name());
    String topic = reader.get(COUNTS_TOPIC);
    reader.require(
        !LocatedKeys.otherTopics(kafka, devices).contains(topic)
            && !topic.equals(located)
            && !topic.startsWith(kafka.locationTopicPrefix()),
        COUNTS_TOPIC,
        "a topic of its own");
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
    boolean isOrdered = pingPong.compareTo(absence) <= 0;
    reader.require(isOrdered, PING_PONG, "not longer than " + ABSENCE.name());
    int areaLevel = reader.get(AREA_LEVEL);
    return new AnalyticsOptions(
        reader.get(NUMBERS),
        new Grouping(reader.get(COUNTS_BY), areaLevel),
        reader.get(OUT_OF_ORDERNESS),
        new TimelineOptions(
            absence,
            isOrdered ? pingPong : absence,
            reader.get(MINIMUM_STAY),
            TimelineOptions.defaults().lateness(),
            areaLevel),
        reader.get(MINIMUM_GROUP),
        prefix,
        period,
        topic);
  }
}
