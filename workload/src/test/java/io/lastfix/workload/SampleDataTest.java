package io.lastfix.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.catalogs.CellFile;
import io.lastfix.model.CellId;
import io.lastfix.model.CellSite;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.PositionSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleDataTest {
  private static final Path FOLDER = Path.of("..", "config", "sample");
  private static final int POSITIONS = 199_286;
  private static final int GOOD_RECORDS_IN_BROKEN_MESSAGES = 2;

  private static final SampleData SAMPLE = sample();
  private static final List<OutgoingMessage> MESSAGES = messages();

  private static SampleData sample() {
    try {
      return new SampleData(FOLDER, CellFile.read(SampleData.cellsFile(FOLDER)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<OutgoingMessage> messages() {
    try (TaxiTraces messages = SAMPLE.messages()) {
      return List.copyOf(Examples.all(messages));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<LocationRecord> records() {
    return MESSAGES.stream().flatMap(message -> message.records().stream());
  }

  @Test
  void countsAreThoseOfTheMessages() throws IOException {
    long records = MESSAGES.stream().mapToInt(OutgoingMessage::recordCount).sum();
    long rejected = MESSAGES.stream().mapToInt(OutgoingMessage::rejected).sum();
    long distinct = records().distinct().count();

    SampleCounts counts = SAMPLE.counts();

    assertThat(counts.records()).isEqualTo(records);
    assertThat(counts.distinct())
        .isEqualTo(distinct)
        .isEqualTo(POSITIONS + GOOD_RECORDS_IN_BROKEN_MESSAGES);
    assertThat(counts.rejected()).isEqualTo(rejected).isEqualTo(BrokenMessages.ALL.size());
    assertThat(counts.duplicates())
        .isEqualTo(records - distinct - rejected)
        .isBetween(counts.distinct() / 200, counts.distinct() / 50);
    assertThat(counts.unlocated()).isBetween(counts.distinct() / 100, counts.distinct() / 10);
  }

  @Test
  void thePagesHaveTheseNumbers() throws IOException {
    SampleCounts counts = SAMPLE.counts();

    assertThat(Files.readString(FOLDER.resolve("README.md")))
        .contains(
            String.format(Locale.ROOT, "| %,d positions of 106 taxis", POSITIONS),
            String.format(Locale.ROOT, "so %,d records are stored.", counts.distinct()));
    assertThat(Files.readString(Path.of("..", "docs", "tutorial", "README.md")))
        .contains(
            String.format(
                Locale.ROOT,
                "%,d + %,d + %d = %,d: each record is stored, was repeated, or was rejected.",
                counts.distinct(),
                counts.duplicates(),
                counts.rejected(),
                counts.records()));
  }

  @Test
  void eachMessageHoldsTheRecordsItSaysItHolds() throws IOException {
    for (int i = 0; i < MESSAGES.size(); i += 50) {
      OutgoingMessage message = MESSAGES.get(i);
      if (message.rejected() == 0) {
        assertThat(PlainReader.read(message.format(), message.value()))
            .isEqualTo(message.records());
      }
    }
  }

  @Test
  void aboutHalfTheRecordsAreXmlAndHalfJson() {
    double xml =
        MESSAGES.stream()
            .filter(message -> message.format() == MessageFormat.ARCANUM)
            .mapToInt(message -> message.records().size())
            .sum();

    assertThat(xml / records().count()).isBetween(0.4, 0.6);
  }

  @Test
  void cabsThatSendJsonStateTheirPositionsAndCellsInTurn() {
    Map<String, List<LocationRecord>> byCab =
        MESSAGES.stream()
            .filter(message -> message.format() != MessageFormat.ARCANUM)
            .filter(message -> message.rejected() == 0 && !message.resent())
            .flatMap(message -> message.records().stream())
            .collect(Collectors.groupingBy(LocationRecord::user));

    assertThat(byCab).hasSize(53);
    byCab
        .values()
        .forEach(
            records -> {
              for (int i = 0; i < records.size(); i++) {
                assertThat(records.get(i).fix() != null).isEqualTo(i % 3 != 1);
                assertThat(records.get(i).cell() != null).isEqualTo(i % 3 != 0);
              }
            });
    assertThat(records().filter(record -> record.fix() != null))
        .allSatisfy(
            record -> {
              assertThat(record.fix().source()).isEqualTo(PositionSource.GNSS);
              assertThat(record.fix().accuracyMeters()).isBetween(5.0, 24.0);
            });
  }

  /** So {@code where} shows both. */
  @Test
  void theFirstCabIsLastSeenAtATowerAfterAPositionOfItsOwn() {
    Set<CellId> known = SAMPLE.cells().stream().map(CellSite::cell).collect(Collectors.toSet());
    String cab = records().map(LocationRecord::user).findFirst().orElseThrow();
    List<LocationRecord> records =
        records()
            .filter(record -> record.user().equals(cab))
            .filter(record -> record.fix() != null || known.contains(record.cell()))
            .distinct()
            .sorted(Comparator.comparingLong(LocationRecord::timestampMillis))
            .toList();

    assertThat(records.get(records.size() - 1).fix()).isNull();
    assertThat(records.get(records.size() - 2).fix()).isNotNull();
  }

  @Test
  void theSampleHasAWellKnownCab() {
    Set<String> users = records().map(LocationRecord::user).collect(Collectors.toSet());

    assertThat(users).contains("ashgati").hasSize(106 + 1); // one device is in a broken message
  }

  @Test
  void noCellOfTheCatalogueIsInTheAreaForUnknownOnes() {
    assertThat(SAMPLE.cells())
        .hasSize(1_999)
        .noneMatch(cell -> cell.cell().area() == TaxiCells.UNKNOWN_AREA);
  }

  @Test
  void aPositionFarFromAllTowersIsHeardByAnUnknownCell(@TempDir Path folder) throws IOException {
    List<CellSite> cells = SAMPLE.cells();
    Set<CellId> known = cells.stream().map(CellSite::cell).collect(Collectors.toSet());
    // The second cab and the fourth send XML, which names cells only.
    Path file =
        traces(
            folder,
            "one,37.788097,-122.393744,0,1211587198",
            "near,37.788097,-122.393744,0,1211587200",
            "three,37.788097,-122.393744,0,1211587199",
            "far,38.5,-121.5,0,1211587201");

    List<LocationRecord> records = new ArrayList<>();
    try (TaxiTraces messages = new TaxiTraces(file, cells)) {
      messages.forEachRemaining(message -> records.addAll(message.records()));
    }
    records.removeIf(record -> record.cell() == null);

    assertThat(records).extracting(LocationRecord::user).containsExactly("near", "far");
    assertThat(records.get(0).cell()).isEqualTo(CellId.parse("311-480-9728-9903886"));
    assertThat(records.get(0).timestampMillis()).isEqualTo(1_211_587_200_000L);
    assertThat(known).doesNotContain(records.get(1).cell());
  }

  @Test
  void aRowThatIsNoPositionIsNamedByItsLine(@TempDir Path folder) throws IOException {
    Path file = traces(folder, "near,37.788097,-122.393744,0,1211587200", "far,38.5,x,0,1");
    try (TaxiTraces messages = new TaxiTraces(file, SAMPLE.cells())) {
      assertThat(messages.next().records()).hasSize(1);

      assertThatThrownBy(messages::next).hasMessageContaining("line 3: ");
    }
  }

  @Test
  void anotherFileIsRefused(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("other.csv"), "a,b\n");
    List<CellSite> cells = SyntheticCells.grid();

    assertThatThrownBy(() -> new TaxiTraces(file, cells))
        .isInstanceOf(IOException.class)
        .hasMessage(file + ", line 1: expected cab_id,lat,lon,occupied,unix_time");
  }

  private static Path traces(Path folder, String... rows) throws IOException {
    return Files.writeString(
        folder.resolve("traces.csv"),
        "cab_id,lat,lon,occupied,unix_time\n" + String.join("\n", rows) + "\n");
  }
}
