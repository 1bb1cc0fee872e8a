package io.lastfix.cli.forget;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.erasure.ErasureReport;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ForgetCommandTest {
  private static final String STEP = "the device's last presence in topic p: Kafka did not answer";

  private static int exitCode(Map<String, Long> deleted, List<String> failed) {
    return ForgetCommand.exitCode(
        new ErasureReport(
            "jane",
            "00ff",
            Instant.parse("2026-11-21T12:05:00Z"),
            0,
            deleted,
            List.of(),
            0,
            List.of(),
            failed,
            List.of("backups")));
  }

  @Test
  void aFailedStepIsAFailure() {
    assertThat(exitCode(Map.of(), List.of(STEP))).isEqualTo(1);
    assertThat(exitCode(Map.of("devices", 1L), List.of(STEP))).isEqualTo(1);
  }

  @Test
  void placesOutOfReachAreNoFailure() {
    assertThat(exitCode(Map.of("devices", 1L), List.of())).isZero();
  }

  @Test
  void aUserOfWhomNothingWasStoredHasAnExitCodeOfItsOwn() {
    assertThat(exitCode(Map.of(), List.of())).isEqualTo(3);
  }
}
