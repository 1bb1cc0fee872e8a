package io.lastfix.jobs.config;

import static org.apache.flink.configuration.ConfigOptions.key;

import io.lastfix.analytics.area.Areas;
import io.lastfix.analytics.counts.Grouping;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.CountsOptions;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.PartitionPeriod;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys {@code analytics.}: the job that counts. */
final class AnalyticsKeys {
  static final Key<List<CountBy>> COUNTS_BY =
      Key.of(
              key("analytics.counts-by")
                  .stringType()
                  .asList()
                  .defaultValues("total", "cell", "area")
                  .withDescription(
                      "By what records are counted, separated by commas: total, cell, area (the"
                          + " S2 cell of the position), network (mcc-mnc) or source (of the"
                          + " position). Each costs a write per group and second."))
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
      Key.positive(
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
    return new AnalyticsOptions(
        new Grouping(reader.get(COUNTS_BY), reader.get(AREA_LEVEL)),
        reader.get(OUT_OF_ORDERNESS),
        new CountsOptions(prefix, period),
        topic);
  }
}
