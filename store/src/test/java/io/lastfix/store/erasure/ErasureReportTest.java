package io.lastfix.store.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ErasureReportTest {
  private static final Instant UNTIL = Instant.parse("2026-11-21T12:05:00Z");

  @Test
  void whatWasDeletedIsATableAndWhatIsOutOfReachIsNamed() {
    Map<String, Long> deleted =
        new TreeMap<>(Map.of("history_2026_11", 12L, "last_known_location", 1L));

    assertThat(
            new ErasureReport(
                    "@jane",
                    "00ff",
                    UNTIL,
                    14,
                    deleted,
                    List.of("job-1"),
                    6.25,
                    List.of("a", "b"),
                    List.of(),
                    List.of("backups"))
                .lines())
        .containsExactly(
            "Erased user '@jane': 13 of 14 documents",
            "COLLECTION           DELETED",
            "history_2026_11      12",
            "last_known_location  1",
            "No record of this user up to 2026-11-21T12:05:00Z will be stored again",
            "Waited 6.3 s for job job-1",
            "No document of the user is left on shard a, b",
            "Not erased; you must handle these yourself:",
            "  backups");
  }

  @Test
  void aFailedStepIsNamedApart() {
    ErasureReport report =
        new ErasureReport(
            "jane",
            "00ff",
            UNTIL,
            0,
            Map.of(),
            List.of(),
            0,
            List.of(),
            List.of("the device's last presence in topic p: Kafka did not answer"),
            List.of("backups"));

    assertThat(report.lines())
        .endsWith(
            "The erasure is not finished. Run this command again, since it failed to remove:",
            "  the device's last presence in topic p: Kafka did not answer",
            "Not erased; you must handle these yourself:",
            "  backups");
  }

  @Test
  void placesOutOfReachAreNoFailedSteps() {
    ErasureReport report =
        new ErasureReport(
            "jane",
            "00ff",
            UNTIL,
            1,
            Map.of("devices", 1L),
            List.of(),
            0,
            List.of(),
            List.of(),
            List.of("backups"));

    assertThat(report.lines()).noneMatch(line -> line.contains("not finished"));
  }

  @Test
  void aUserOfWhomNothingWasStoredIsSaidToBeThat() {
    ErasureReport report =
        new ErasureReport(
            "jane", "00ff", UNTIL, 0, Map.of(), List.of(), 0, List.of(), List.of(), List.of());

    assertThat(report.lines())
        .startsWith(
            "Erased nothing: no record of user 'jane' was stored up to 2026-11-21T12:05:00Z",
            "No record of this user up to 2026-11-21T12:05:00Z will be stored again",
            "Waited for no job");
  }
}
