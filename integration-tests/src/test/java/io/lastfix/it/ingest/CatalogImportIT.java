package io.lastfix.it.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.catalogs.CatalogRefusedException;
import io.lastfix.catalogs.CellEntryJson;
import io.lastfix.catalogs.ImportSummary;
import io.lastfix.cli.catalog.CatalogImport;
import io.lastfix.it.harness.TestStack;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.KafkaTopics;
import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.CellVersion;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import io.lastfix.model.Revision;
import io.lastfix.model.Tower;
import io.lastfix.workload.StepProgress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Importing catalogue files into a real topic, with the real comparison against what it holds. */
class CatalogImportIT {
  private static final Instant LAST_YEAR = Instant.parse("2025-03-01T00:00:00Z");
  private static final Instant THIS_YEAR = Instant.parse("2026-03-01T00:00:00Z");

  private static final CellId STAYS = new CellId(310, 260, 101, 1);
  private static final CellId MOVES = new CellId(310, 260, 101, 22);
  private static final CellId ON_TWO_RADIOS = new CellId(310, 260, 101, 333);
  private static final CellId COMES_LATER = new CellId(310, 260, 102, 4_444);

  private static final Position HERE = new Position(-122.4, 37.8);
  private static final Position THERE = new Position(-122.3, 37.7);

  private static final List<String> FIRST_FILE =
      List.of(
          row("LTE", STAYS, HERE, LAST_YEAR),
          row("GSM", MOVES, HERE, LAST_YEAR),
          row("GSM", ON_TWO_RADIOS, HERE, LAST_YEAR),
          row("UMTS", ON_TWO_RADIOS, THERE, LAST_YEAR));

  @TempDir private static Path directory;

  private static TestStack stack;

  private LocationJobConfig config = LocationJobConfig.load(null, List.of(), variable -> null);

  @BeforeAll
  static void findServers() {
    stack = TestStack.shared();
  }

  @BeforeEach
  void makeTopicsOfItsOwn(TestInfo test) {
    String name = test.getTestMethod().orElseThrow().getName();
    config =
        LocationJobConfig.load(
            null,
            List.of(
                "kafka.bootstrap-servers=" + stack.kafka(),
                "kafka.location-topic-prefix=" + name + ".location.",
                "kafka.cells-topic=" + name + ".cells",
                "kafka.rejected-topic=" + name + ".rejected"),
            variable -> null);
    try (Admin admin = Admin.create(config.kafka().clientProperties())) {
      new KafkaTopics(admin, config.kafka()).ensure(config.profileNames());
    }
  }

  @Test
  void aFirstImportPublishesOneCompleteEntryForEachCell() throws Exception {
    assertThat(counts(importFile(FIRST_FILE))).containsExactly(3, 0, 0, 0);

    assertThat(messages()).isEqualTo(3);
    assertThat(catalogue())
        .containsOnly(
            Map.entry(STAYS, entry(STAYS, tower(Radio.LTE, version(LAST_YEAR, HERE)))),
            Map.entry(MOVES, entry(MOVES, tower(Radio.GSM, version(LAST_YEAR, HERE)))),
            Map.entry(
                ON_TWO_RADIOS,
                entry(
                    ON_TWO_RADIOS,
                    tower(Radio.GSM, version(LAST_YEAR, HERE)),
                    tower(Radio.UMTS, version(LAST_YEAR, THERE)))));
  }

  @Test
  void theSameFileAgainPublishesNothing() throws Exception {
    importFile(FIRST_FILE);

    assertThat(counts(importFile(FIRST_FILE))).containsExactly(0, 0, 3, 0);

    assertThat(messages()).isEqualTo(3);
  }

  @Test
  void aNewerFileAddsVersionsOnlyWhereSomethingChanged() throws Exception {
    importFile(FIRST_FILE);

    ImportSummary second =
        importFile(
            List.of(
                // Heard again at the same place: nothing new.
                row("LTE", STAYS, HERE, THIS_YEAR),
                row("GSM", MOVES, THERE, THIS_YEAR),
                row("UMTS", ON_TWO_RADIOS, HERE, THIS_YEAR),
                row("NR", COMES_LATER, THERE, THIS_YEAR)));

    assertThat(counts(second)).containsExactly(1, 2, 1, 0);
    assertThat(messages()).isEqualTo(3 + 3);
    assertThat(catalogue())
        .containsOnly(
            Map.entry(STAYS, entry(STAYS, tower(Radio.LTE, version(LAST_YEAR, HERE)))),
            Map.entry(
                MOVES,
                entry(
                    MOVES, tower(Radio.GSM, version(LAST_YEAR, HERE), version(THIS_YEAR, THERE)))),
            // Also the radio of which the second file says nothing: an entry replaces all.
            Map.entry(
                ON_TWO_RADIOS,
                entry(
                    ON_TWO_RADIOS,
                    tower(Radio.GSM, version(LAST_YEAR, HERE)),
                    tower(Radio.UMTS, version(LAST_YEAR, THERE), version(THIS_YEAR, HERE)))),
            Map.entry(COMES_LATER, entry(COMES_LATER, tower(Radio.NR, version(THIS_YEAR, THERE)))));
  }

  /** OpenCellID's positions are running averages, so each file has moved them a little. */
  @Test
  void aTowerMeasuredAgainAFewMetresAwayIsUnchangedByDefault() throws Exception {
    importFile(FIRST_FILE);
    Position elevenMetresNorth = new Position(HERE.lon(), HERE.lat() + 1e-4);

    ImportSummary second = importFile(List.of(row("LTE", STAYS, elevenMetresNorth, THIS_YEAR)));

    assertThat(counts(second)).containsExactly(0, 0, 1, 0);
    assertThat(messages()).isEqualTo(3);
  }

  @Test
  void filesInTheOtherOrderMakeTheSameCatalogue() throws Exception {
    importFile(List.of(row("GSM", MOVES, THERE, THIS_YEAR)));

    importFile(List.of(row("GSM", MOVES, HERE, LAST_YEAR)));

    assertThat(catalogue())
        .containsOnly(
            Map.entry(
                MOVES,
                entry(
                    MOVES, tower(Radio.GSM, version(LAST_YEAR, HERE), version(THIS_YEAR, THERE)))));
  }

  @Test
  void aBadRowIsSkippedAndCounted() throws Exception {
    ImportSummary summary =
        new CatalogImport(config, 0.25, 0)
            .run(
                file(
                    List.of(
                        FIRST_FILE.get(0),
                        FIRST_FILE.get(1),
                        "WIMAX,310,260,101,5,0,-122.4,37.8,1000,1,1,1,1740787200,0",
                        FIRST_FILE.get(2))),
                StepProgress.silent());

    assertThat(counts(summary)).containsExactly(3, 0, 0, 1);
  }

  @Test
  void aMostlyBadFileIsRefusedWithReasonsAndPublishesNothing() throws Exception {
    List<String> mostlyBad =
        List.of(
            FIRST_FILE.get(0),
            "LTE,310,260,101,none,0,-122.4,37.8,1000,1,1,1,1740787200,0",
            "LTE,310,260,101,7,0,-200,37.8,1000,1,1,1,1740787200,0",
            "LTE,310,260");

    assertThatThrownBy(() -> importFile(mostlyBad))
        .isInstanceOf(CatalogRefusedException.class)
        .hasMessageContainingAll("cells.csv", "3 of 4", "cell", "lon");

    assertThat(messages()).isZero();
  }

  private ImportSummary importFile(List<String> rows) throws Exception {
    return new CatalogImport(config).run(file(rows), StepProgress.silent());
  }

  private static Path file(List<String> rows) throws Exception {
    Path folder = Files.createTempDirectory(directory, "import");
    return Files.write(folder.resolve("cells.csv"), rows, UTF_8);
  }

  /** New, changed, unchanged, skipped. */
  private static List<Integer> counts(ImportSummary summary) {
    return List.of(
        (int) summary.newCells(),
        (int) summary.changedCells(),
        (int) summary.unchangedCells(),
        (int) summary.skippedRows());
  }

  private static String row(String radio, CellId cell, Position position, Instant updated) {
    return "%s,%d,%d,%d,%d,0,%s,%s,1000,7,1,%d,%d,0"
        .formatted(
            radio,
            cell.mcc(),
            cell.mnc(),
            cell.area(),
            cell.cid(),
            position.lon(),
            position.lat(),
            updated.getEpochSecond() - 1,
            updated.getEpochSecond());
  }

  private static CellEntry entry(CellId cell, Tower... towers) {
    return new CellEntry(cell, List.of(towers));
  }

  private static Tower tower(Radio radio, CellVersion... versions) {
    return new Tower(radio, List.of(versions));
  }

  private static CellVersion version(Instant from, Position position) {
    return new CellVersion(from.toEpochMilli(), position, 1_000);
  }

  /** How often anything was published. */
  private long messages() {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      return consumer.endOffsets(partitions(consumer)).values().stream()
          .mapToLong(Long::longValue)
          .sum();
    }
  }

  /** The last entry of each cell, as a job would come to know it, without its revision. */
  private Map<CellId, CellEntry> catalogue() throws Exception {
    Map<CellId, CellEntry> entries = new HashMap<>();
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      List<TopicPartition> partitions = partitions(consumer);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.get(p))) {
        for (ConsumerRecord<byte[], byte[]> message : consumer.poll(Duration.ofSeconds(1))) {
          CellEntry entry = CellEntryJson.read(message.key(), message.value(), Revision.OLDEST);
          assertThat(new String(message.key(), UTF_8)).isEqualTo(entry.cell().toString());
          assertThat(entry.revision().number()).as("revision").isPositive();
          entries.put(entry.cell(), entry.withRevision(Revision.OLDEST));
        }
      }
    }
    return entries;
  }

  private List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer) {
    return consumer.partitionsFor(config.kafka().cellsTopic()).stream()
        .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
        .toList();
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    Properties properties = config.kafka().clientProperties();
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }
}
