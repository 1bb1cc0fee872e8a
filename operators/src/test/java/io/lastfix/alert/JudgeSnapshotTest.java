package io.lastfix.alert;

import static io.lastfix.alert.JudgeHarness.AIRPORT;
import static io.lastfix.alert.JudgeHarness.CITY;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.OperatorSnapshotUtil;
import org.junit.jupiter.api.Test;

/** This build restores state of former builds. */
class JudgeSnapshotTest {
  private static final String FILE = "/rules-judge-version-1.bin";

  private static TestRules rules() {
    return new TestRules()
        .fence("sfo", AIRPORT, 1_500)
        .rule("left", "id: left\nwhen: {fence: sfo, is: left, for: 60s}\n")
        .rule(
            "round",
            """
            id: round
            when: {sequence: [{fence: sfo, is: left}, {fence: sfo, is: entered}], within: 1 h}
            """)
        .rule("gone", "id: gone\nwhen: {silent: presence, for: 10 min}\n");
  }

  /**
   * Writes the fixture into a directory: of a device in the fence, one that left it and waits, and
   * one that is offline. Run it once for a new version of the state, and keep the older ones.
   */
  public static void main(String[] args) throws Exception {
    try (JudgeHarness harness = new JudgeHarness(rules())) {
      harness.record("stays", 0, AIRPORT).record("waits", 0, AIRPORT).record("waits", 10, CITY);
      harness.offline("gone", 0, 60);
      OperatorSnapshotUtil.writeStateHandle(harness.snapshot(), args[0] + FILE);
    }
  }

  @Test
  void stateOfAFormerBuildIsRestoredWithRecordsStandingsAndTimers() throws Exception {
    Path file = Path.of(JudgeSnapshotTest.class.getResource(FILE).toURI());
    OperatorSubtaskState state = OperatorSnapshotUtil.readStateHandle(file.toString());
    try (JudgeHarness harness = new JudgeHarness(rules(), false, state)) {
      assertThat(harness.devices()).isEqualTo(3);
      assertThat(harness.timers()).isEqualTo(3);
      assertThat(harness.watermark(69).alerts()).isEmpty();
      assertThat(harness.watermark(70).alerts()).containsExactly("waits left@10");

      harness.record("stays", 100, CITY).watermark(160).record("waits", 200, AIRPORT);
      harness.watermark(660);

      assertThat(harness.alerts())
          .containsExactly("waits left@10", "stays left@100", "waits round@200", "gone gone@0");
    }
  }
}
