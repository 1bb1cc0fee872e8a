package io.lastfix.jobs.config;

import static org.apache.flink.configuration.ConfigOptions.key;

import java.time.Duration;
import java.util.List;

/** The keys {@code source.}: where the job starts to read, and how it waits for the catalogue. */
final class SourceKeys {
  static final Key<SourceStart> START =
      Key.text(
              key("source.start")
                  .stringType()
                  .defaultValue("committed")
                  .withDescription(
                      "Where a job without a savepoint begins to read: 'committed' (the group's"
                          + " offsets, the earliest record where there are none), 'earliest',"
                          + " 'latest', or a moment such as 2026-11-20T12:00:00Z. Reading again is"
                          + " harmless: what is stored already stays as it is. Records that waited"
                          + " for their cell when a job was cancelled without a savepoint are"
                          + " behind the committed offsets: name a moment before (locate.max-wait"
                          + " and a little more), or start from the last checkpoint."))
          .as(SourceStart::parse);

  static final Key<Duration> CATALOG_TIMEOUT =
      Key.positive(
          key("source.catalog-timeout")
              .durationType()
              .defaultValue(Duration.ofMinutes(10))
              .withDescription(
                  "How long, at each start and restart, the job may take until its state holds the"
                      + " catalogue as it stood then; one checkpoint.interval is added. Location"
                      + " records are not read before. Offsets that were read count, not committed"
                      + " ones."));

  static final Key<OnCatalogTimeout> ON_CATALOG_TIMEOUT =
      Key.of(
          key("source.on-catalog-timeout")
              .enumType(OnCatalogTimeout.class)
              .defaultValue(OnCatalogTimeout.FAIL)
              .withDescription(
                  "What happens after that time. 'fail': the job fails, says how far it was and how"
                      + " fast, and restarts from its last checkpoint, so what it read of the"
                      + " catalogue is kept. 'continue': it reads location records with what there"
                      + " is; they may be stored without a place, or with an overtaken one."));

  static final Key<OnGap> ON_GAP =
      Key.of(
          key("source.on-gap")
              .enumType(OnGap.class)
              .defaultValue(OnGap.CONTINUE)
              .withDescription(
                  "If Kafka has deleted location records that the job had not read (retention"
                      + " passed it, or the topic was made anew): 'continue' logs an error with"
                      + " topic, partition and count, counts them in sourceRecordsLost, and reads"
                      + " on with the first record that is left. 'fail' ends the job, without a"
                      + " restart."));

  static final Key<List<String>> ABANDON_TOPICS =
      Key.of(
          key("source.abandon-topics")
              .stringType()
              .asList()
              .defaultValues()
              .withDescription(
                  "Topics, with commas between, whose profile was taken away and whose unread"
                      + " records may stay unread. A submission is refused if another such topic"
                      + " has any."));

  private SourceKeys() {}

  /**
   * Reads them.
   *
   * @param checkpointInterval added to the timeout: the catalogue counts as loaded when a
   *     checkpoint holds it
   */
  static SourceOptions read(SettingsReader reader, Duration checkpointInterval) {
    return new SourceOptions(
        reader.get(START),
        reader.get(ON_GAP),
        reader.get(ABANDON_TOPICS),
        new CatalogTimeout(
            reader.get(CATALOG_TIMEOUT).plus(checkpointInterval),
            reader.get(ON_CATALOG_TIMEOUT) == OnCatalogTimeout.FAIL));
  }
}
