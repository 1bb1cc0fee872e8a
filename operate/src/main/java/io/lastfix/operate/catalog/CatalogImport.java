package io.lastfix.operate.catalog;

import io.lastfix.catalogs.CatalogMerge;
import io.lastfix.catalogs.CatalogMerge.CatalogChanges;
import io.lastfix.catalogs.CatalogRefusedException;
import io.lastfix.catalogs.CellEntryException;
import io.lastfix.catalogs.CellEntryJson;
import io.lastfix.catalogs.ImportSummary;
import io.lastfix.catalogs.OpenCellIdReader;
import io.lastfix.catalogs.RevisedEntries;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.CellPublisher;
import io.lastfix.jobs.kafka.topics.KafkaAdmin;
import io.lastfix.kit.kafka.ConsumerLag.Range;
import io.lastfix.kit.kafka.TopicReader;
import io.lastfix.model.CellEntry;
import io.lastfix.model.Revision;
import io.lastfix.store.history.HistoryRetention;
import io.lastfix.workload.StepProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
}
