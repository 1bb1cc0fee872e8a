package io.lastfix.operate.catalog;

import io.lastfix.catalogs.CatalogMerge;
import io.lastfix.catalogs.CatalogMerge.CatalogChanges;
import io.lastfix.catalogs.CatalogRefusedException;
import io.lastfix.catalogs.CellEntryException;
import io.lastfix.catalogs.CellEntryJson;
import io.lastfix.catalogs.ImportSummary;
import io.lastfix.catalogs.OpenCellIdReader;
import io.lastfix.catalogs.RevisedEntries;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.CellPublisher;
import io.lastfix.jobs.kafka.topics.KafkaAdmin;
import io.lastfix.kit.kafka.ConsumerLag.Range;
import io.lastfix.kit.kafka.TopicReader;
import io.lastfix.model.CellEntry;
import io.lastfix.model.Revision;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.job.HistoryJobs;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.HistoryRetention;
import io.lastfix.store.query.HistoryQueries;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.TimeRange;
import io.lastfix.workload.StepProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Imports an OpenCellID or MLS file: reads it, compares it with the topic {@code lastfix.cells},
 * and publishes the complete new entry of every cell with changes. Two concurrent imports can
 * overwrite each other's versions, so run one after the other.
 *
 * @param config names the topic
 * @param maxBadShare files with a larger share of bad rows are rejected, 0 to 1
 * @param toleranceMeters distance in metres within which a tower measured again counts as not moved
 */
public record CatalogImport(LocationJobConfig config, double maxBadShare, double toleranceMeters) {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogImport.class);

  /** The time limit of the search for records without a position. */
  private static final Duration QUERY_LIMIT = Duration.ofSeconds(30);

  /**
   * Less than a phone's own error. OpenCellID's positions are averages, which each sample shifts.
   */
  public static final double DEFAULT_TOLERANCE_METERS = 50;

  /**
   * Imports into the topic of that configuration; rejects files with more than a tenth of bad rows.
   */
  public CatalogImport(LocationJobConfig config) {
    this(config, OpenCellIdReader.DEFAULT_MAX_BAD_SHARE, DEFAULT_TOLERANCE_METERS);
  }

  /**
   * Imports a file. The topic must exist.
   *
   * @throws CatalogRefusedException if too many rows are bad; then nothing was published
   * @throws IOException if the file cannot be read, if Kafka does not answer or rejects an entry,
   *     or if the topic holds an entry whose revision is too far ahead to be replaced now
   */
  public ImportSummary run(Path file, StepProgress progress)
      throws IOException, CatalogRefusedException {
    long begin = System.nanoTime();
    CatalogMerge merge = new CatalogMerge(toleranceMeters, keptFromMillis());
    progress.begin("reading " + file.getFileName(), -1);
    OpenCellIdReader.Summary read =
        new OpenCellIdReader(maxBadShare, System.currentTimeMillis())
            .read(
                file,
                row -> {
                  merge.accept(row);
                  progress.step();
                });
    readTopic(merge, progress);
    CatalogChanges changes = merge.changes();
    publish(changes.entries(), progress);
    return new ImportSummary(
        changes.newCells(),
        changes.changedCells(),
        changes.unchangedCells(),
        read.badRows(),
        read.rowsWithoutPosition(),
        read.warning(),
        (System.nanoTime() - begin) / 1e9);
  }

  /** Records of expired partitions are rejected, so they need no versions. */
  private long keptFromMillis() {
    HistoryRetention retention = config.history().retention();
    return retention == null ? Long.MIN_VALUE : retention.firstKept(System.currentTimeMillis());
  }

  private void readTopic(CatalogMerge merge, StepProgress progress) throws IOException {
    String topic = config.kafka().cellsTopic();
    Map<TopicPartition, Range> all = KafkaAdmin.ranges(config.kafka(), topic);
    long expected = all.values().stream().mapToLong(range -> range.end() - range.begin()).sum();
    progress.begin("comparing with " + topic, expected);
    new TopicReader(config.kafka()::clientProperties)
        .read(
            all,
            record -> {
              progress.step();
              try {
                merge.known(
                    CellEntryJson.read(
                        record.key(),
                        record.value(),
                        new Revision(
                            Math.max(-1, record.timestamp()),
                            record.offset(),
                            record.partition())));
              } catch (CellEntryException e) {
                LOG.warn(
                    "skipping {}, partition {}, offset {}, which is no catalogue entry: {}",
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    e.getMessage());
              }
            });
  }

  private void publish(List<CellEntry> entries, StepProgress progress) throws IOException {
    RevisedEntries revised = RevisedEntries.of(entries, System.currentTimeMillis());
    progress.begin("publishing", revised.entries().size());
    new CellPublisher(config.kafka()).publish(revised.entries(), progress::step);
    revised.requireAllReplaceable();
  }

  /**
   * The search for positions that follows an import.
   *
   * @param id of the job that was started; empty: none was
   * @param words what began, or why nothing did
   */
  public record Relocation(Optional<String> id, String words) {}

  /**
   * Starts relocate for the periods from the oldest with a record that lacks a position, unless it
   * runs already; empty: no record lacks one.
   *
   * @throws IllegalStateException if it could not be started; says what to do
   */
  public static Optional<Relocation> relocate(HistoryJobs jobs) throws InterruptedException {
    try {
      LocationJobConfig config = jobs.settings().load(jobs.servers(), Servers.Kind.MONGO);
      Optional<HistoryPartition> oldest = oldestUnlocated(config);
      if (oldest.isEmpty()) {
        return Optional.empty();
      }
      List<FlinkRest.Job> running =
          new FlinkRest(jobs.servers().flink()).unfinished(Jobs.RELOCATE.nameIn(config));
      if (!running.isEmpty()) {
        return Optional.of(
            new Relocation(
                Optional.empty(),
                "relocate runs already (%s), and may have read the catalogue before this import: run 'lastfix relocate' when it has ended"
                    .formatted(running.get(0).id())));
      }
      Instant start = oldest.get().start();
      String id = jobs.submitWithOneSubtask(Jobs.RELOCATE, List.of("--from", start.toString()));
      return Optional.of(
          new Relocation(
              Optional.of(id),
              "Started relocate, for records from %s on stored without a position (%s)"
                  .formatted(start, id)));
    } catch (IOException | RuntimeException e) {
      throw new IllegalStateException(
          "the catalogue is imported, but relocate (history.relocate: after-import) was not started: %s. Run 'lastfix relocate'"
              .formatted(e.getMessage()),
          e);
    }
  }

  /** Only the partitions of the configured period count: the job reads no others. */
  private static Optional<HistoryPartition> oldestUnlocated(LocationJobConfig config)
      throws IOException {
    try (QuerySession mongo = new QuerySession(config, QueryOptions.within(QUERY_LIMIT))) {
      HistoryQueries history = mongo.history();
      return history.oldestUnlocated(
          history.partitions(TimeRange.ALL).stream().filter(config.history()::isOfPeriod).toList(),
          QUERY_LIMIT);
    }
  }
}
