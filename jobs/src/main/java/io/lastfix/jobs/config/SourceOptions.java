package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.SettingsReader;
import java.time.Duration;
import java.util.List;

/**
 * How the job reads Kafka: the keys {@code source.}.
 *
 * @param start where a job without a savepoint starts to read
 * @param onGap what the job does if Kafka has deleted records before the job read them
 * @param abandonedTopics topics without a profile whose unread records are abandoned
 * @param catalogTimeout how long to wait for the catalogue at each start, and what the job does
 *     then
 */
public record SourceOptions(
    SourceStart start, OnGap onGap, List<String> abandonedTopics, CatalogTimeout catalogTimeout) {
  static final Key<SourceStart> START =
      Key.text(
              "source.start",
              "committed",
              "Where a job without a savepoint starts to read: 'committed' (the group's offsets; the"
                  + " earliest record if there are none), 'earliest', 'latest', or a time such as"
                  + " 2026-11-20T12:00:00Z. Reading records again is harmless: stored documents stay as"
                  + " they are. If you cancel a job without a savepoint, its records that wait for their"
                  + " cell lie before the committed offsets. To read them again, name a time that is"
                  + " earlier by locate.max-wait and a little more, or start from the last checkpoint. For the"
                  + " analytics job 'committed' is 'earliest'. The rules job starts at the latest record if"
                  + " there are no offsets.")
          .as(SourceStart::parse);

  static final Key<Duration> CATALOG_TIMEOUT =
      Key.positiveDuration(
          "source.catalog-timeout",
          "10 min",
          "Time limit for loading the catalogue at each start and restart, plus one"
              + " checkpoint.interval. The job reads no location records before its state holds all"
              + " entries that the catalogue had at the start. The offsets in its checkpoints count,"
              + " not those committed to Kafka.");

  static final Key<OnCatalogTimeout> ON_CATALOG_TIMEOUT =
      Key.oneOf(
          "source.on-catalog-timeout",
          OnCatalogTimeout.FAIL,
          "What the job does after source.catalog-timeout. 'fail': it fails, reports its progress"
              + " and speed, and restarts from its last checkpoint, which keeps the entries read so"
              + " far. 'continue': it reads location records with an incomplete catalogue, so it may"
              + " store records without coordinates or with outdated ones.");

  static final Key<OnGap> ON_GAP =
      Key.oneOf(
          "source.on-gap",
          OnGap.CONTINUE,
          "What the job does if Kafka has deleted location records before the job read them (by"
              + " retention, or because the topic was created again). 'continue': it logs an error"
              + " with topic, partition and count, adds the count to sourceRecordsLost, and continues"
              + " with the first remaining record. 'fail': it ends without a restart.");

  static final Key<List<String>> ABANDON_TOPICS =
      Key.list(
          "source.abandon-topics",
          "",
          "Topics without a profile whose unread records you abandon, separated by commas. A"
              + " submission is refused if another topic lost its profile and has unread records.");

  /**
   * Reads the keys.
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

  /** What the job does if its state does not hold the catalogue in time. */
  public enum OnCatalogTimeout {
    /** It fails, and restarts from its last checkpoint. */
    FAIL,
    /** It reads the location records with the entries loaded so far. */
    CONTINUE
  }
}
