package io.lastfix.cli.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.CellId;
import io.lastfix.model.LocationRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SampleDataTest {
  private static final Path FOLDER = Path.of("..", "config", "sample");
  private static final int POSITIONS = 199_286;
  private static final int GOOD_RECORDS_IN_BROKEN_MESSAGES = 2;

  @Test
  void countsAreThoseOfTheMessages() throws IOException {
    SampleData sample = new SampleData(FOLDER);
    Set<LocationRecord> distinct = new HashSet<>();
    long records = 0;
    long rejected = 0;
    try (TaxiTraces messages = sample.messages()) {
      while (messages.hasNext()) {
        OutgoingMessage message = messages.next();
        distinct.addAll(message.records());
        records += message.recordCount();
        rejected += message.rejected();
      }
    }

    SampleCounts counts = sample.counts();

    assertThat(counts.records()).isEqualTo(records);
    assertThat(counts.distinct())
        .isEqualTo(distinct.size())
        .isEqualTo(POSITIONS + GOOD_RECORDS_IN_BROKEN_MESSAGES);
    assertThat(counts.rejected()).isEqualTo(rejected).isEqualTo(BrokenMessages.ALL.size());
    assertThat(counts.duplicates())
        .isEqualTo(records - distinct.size() - rejected)
        .isBetween(counts.distinct() / 200, counts.distinct() / 50);
    assertThat(counts.unlocated()).isBetween(counts.distinct() / 100, counts.distinct() / 10);
  }

  @Test
  void aboutHalfIsXmlAndHalfJsonAndEachMessageHoldsWhatItSays() throws IOException {
    long xml = 0;
    long all = 0;
    int checked = 0;
    try (TaxiTraces messages = new SampleData(FOLDER).messages()) {
      while (messages.hasNext()) {
        OutgoingMessage message = messages.next();
        all += message.records().size();
        xml += message.format() == MessageFormat.ARCANUM ? message.records().size() : 0;
        if (message.rejected() == 0 && checked++ % 10 == 0) {
          assertThat(PlainReader.read(message.format(), message.value()))
              .isEqualTo(message.records());
        }
      }
    }
    assertThat(xml / (double) all).isBetween(0.4, 0.6);
  }

  @Test
  void theSampleHasAWellKnownCab() throws IOException {
    Set<String> users = new HashSet<>();
    try (TaxiTraces messages = new SampleData(FOLDER).messages()) {
      messages.forEachRemaining(message -> message.records().forEach(r -> users.add(r.user())));
    }

    assertThat(users).contains("ashgati").hasSize(106 + 1); // one device is in a broken message
  }

  @Test
  void noCellOfTheCatalogueIsInTheAreaForUnknownOnes() throws IOException {
    assertThat(new SampleData(FOLDER).cells())
        .hasSize(1_999)
        .noneMatch(cell -> cell.cell().area() == TaxiTraces.UNKNOWN_AREA);
  }

  @Test
  void aPositionFarFromAllTowersIsHeardByAnUnknownCell(@TempDir Path folder) throws IOException {
    List<KnownCell> cells = new SampleData(FOLDER).cells();
    Set<CellId> known = cells.stream().map(KnownCell::cell).collect(Collectors.toSet());
    Path file =
        traces(folder, "near,37.788097,-122.393744,0,1211587200", "far,38.5,-121.5,0,1211587201");

    List<LocationRecord> records = new ArrayList<>();
    try (TaxiTraces messages = new TaxiTraces(file, cells)) {
      messages.forEachRemaining(message -> records.addAll(message.records()));
    }

    assertThat(records).extracting(LocationRecord::user).containsExactly("near", "far");
    assertThat(records.get(0).cell()).isEqualTo(CellId.parse("311-480-9728-9903886"));
    assertThat(records.get(0).timestampMillis()).isEqualTo(1_211_587_200_000L);
    assertThat(known).doesNotContain(records.get(1).cell());
  }

  @Test
  void aRowThatIsNoPositionIsNamedByItsLine(@TempDir Path folder) throws IOException {
    Path file = traces(folder, "near,37.788097,-122.393744,0,1211587200", "far,38.5,x,0,1");
    try (TaxiTraces messages = new TaxiTraces(file, new SampleData(FOLDER).cells())) {
      assertThat(messages.next().records()).hasSize(1);

      assertThatThrownBy(messages::next).hasMessageContaining("line 3: ");
    }
  }

  @Test
  void anotherFileIsRefused(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("other.csv"), "a,b\n");
    List<KnownCell> cells = SyntheticCells.grid();

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
