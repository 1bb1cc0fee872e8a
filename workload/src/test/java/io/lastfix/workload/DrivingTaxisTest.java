package io.lastfix.workload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.CellId;
import io.lastfix.model.CellSite;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DrivingTaxisTest {
  private static final long NOW = 1_795_763_328_000L;

  private static final List<CellSite> TOWERS =
      List.of(
          new CellSite(new CellId(310, 260, 7, 1), Radio.LTE, new Position(-122.40, 37.75)),
          new CellSite(new CellId(310, 260, 7, 2), Radio.LTE, new Position(-122.50, 37.75)));

  @TempDir private Path directory;
  private final AtomicLong clock = new AtomicLong(NOW);

  private DrivingTaxis taxis(double speed, String... rows) throws IOException {
    Path file = directory.resolve("traces.csv");
    Files.writeString(file, "cab_id,lat,lon,occupied,unix_time\n" + String.join("\n", rows));
    return new DrivingTaxis(file, TOWERS, speed, clock::get, clock::addAndGet);
  }

  @Test
  void recordsAreOfThePresentAndComeAtTheirPaceAndBeginAgain() throws IOException {
    try (DrivingTaxis taxis =
        taxis(
            5,
            "ashgati,37.75,-122.40,0,1211587200",
            "aurjyen,37.76,-122.41,1,1211587210",
            // A gap of an hour takes a minute.
            "ashgati,37.77,-122.42,0,1211590810")) {
      List<String> found = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        LocationRecord record = taxis.next().records().get(0);
        found.add(
            "%s %d %s"
                .formatted(
                    record.user(), record.timestampMillis() - NOW, record.fix().position().lat()));
      }

      assertThat(found)
          .containsExactly(
              "ashgati 0 37.75",
              "aurjyen 2000 37.76",
              "ashgati 62000 37.77",
              "ashgati 62000 37.75",
              "aurjyen 64000 37.76");
    }
  }

  @Test
  void aMessageIsOneRecordWithItsCabAsTheKey() throws IOException {
    try (DrivingTaxis taxis = taxis(1, "ashgati,37.75,-122.40,0,1211587200")) {
      OutgoingMessage message = taxis.next();

      assertThat(message.key()).isEqualTo("ashgati".getBytes(UTF_8));
      assertThat(new String(message.value(), UTF_8))
          .startsWith("{\"user\":\"ashgati\"")
          .contains("\"ts\":" + NOW, "37.75");
      assertThat(message.records().get(0).cell()).isEqualTo(new CellId(310, 260, 7, 1));
    }
  }

  @Test
  void anEmptyFileIsNamed() throws IOException {
    try (DrivingTaxis taxis = taxis(1)) {
      assertThatThrownBy(taxis::next).hasMessageContaining("traces.csv: there are no traces in it");
    }
  }
}
