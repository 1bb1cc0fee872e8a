package io.lastfix.cli.forget;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.erasure.ErasureReport;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ErasureTextTest {
  private static final Instant UNTIL = Instant.parse("2026-11-21T12:05:00Z");

  @Test
  void whatWasDeletedIsATableAndWhatIsOutOfReachIsNamed() {
    Map<String, Long> deleted =
        new TreeMap<>(Map.of("history_2026_11", 12L, "last_known_location", 1L));

    assertThat(
            ErasureText.lines(
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
                    List.of("backups"))))
        .containsExactly(
            "Erased user '@jane': 13 of 14 documents",
            """
            COLLECTION           DELETED
            history_2026_11      12
            last_known_location  1""",
            "No record of this user up to 2026-11-21T12:05:00Z will be stored again",
            "Waited 6.3 s for job job-1",
            "No document of the user is left on shard a, b",
            "Not erased; you must handle these yourself:",
            "  backups");
  }

  @Test
  void aFailedStepIsNamedApartAndTheCommandFails() {
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

    assertThat(ErasureText.lines(report))
        .endsWith(
            "The erasure is not finished. Run this command again, since it failed to remove:",
            "  the device's last presence in topic p: Kafka did not answer",
            "Not erased; you must handle these yourself:",
            "  backups");
    assertThat(ForgetCommand.exitCode(report)).isEqualTo(1);
  }

  @Test
  void placesOutOfReachAreNoFailure() {
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

    assertThat(ErasureText.lines(report)).noneMatch(line -> line.contains("not finished"));
    assertThat(ForgetCommand.exitCode(report)).isZero();
  }

  @Test
  void aUserOfWhomNothingWasStoredIsSaidToBeThatWithAnExitCodeOfItsOwn() {
    ErasureReport report =
        new ErasureReport(
            "jane", "00ff", UNTIL, 0, Map.of(), List.of(), 0, List.of(), List.of(), List.of());

    assertThat(ErasureText.lines(report))
        .startsWith(
            "Erased nothing: no record of user 'jane' was stored up to 2026-11-21T12:05:00Z",
            "No record of this user up to 2026-11-21T12:05:00Z will be stored again",
            "Waited for no job");
    assertThat(ForgetCommand.exitCode(report)).isEqualTo(3);
  }
}
