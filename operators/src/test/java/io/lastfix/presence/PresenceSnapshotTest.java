package io.lastfix.presence;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.device.HeartbeatMessage;
import io.lastfix.model.device.HeartbeatMessage.Heartbeat;
import io.lastfix.model.device.HeartbeatMessage.RecordSign;
import io.lastfix.model.device.HeartbeatMessage.Tick;
import java.nio.file.Path;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.OperatorSnapshotUtil;
import org.junit.jupiter.api.Test;

/** This build restores state of former builds. */
class PresenceSnapshotTest {
  private static final long T = 1_795_176_000_000L;
  private static final HeartbeatMessage TICK = new Tick("gateway-1");
  private static final HeartbeatMessage RECORD = new RecordSign(600, null);

  /**
   * Writes the fixtures into a directory: of a device that is there, one that is silent, an outage,
   * and usage below a step. Run it once for a new version of the state, and keep the older ones.
   */
  public static void main(String[] args) throws Exception {
    try (PresenceHarness harness = new PresenceHarness(PresenceHarness.options(), 1)) {
      harness
          .message(0, T, "silent", new Heartbeat(1, 1, 1, "phone", "acme/1", null, null))
          .message(0, T + 5_000, "there", RECORD)
          .message(0, T + 10_000, null, TICK)
          .watermark()
          .message(0, T + 100_000, null, TICK);
      OperatorSnapshotUtil.writeStateHandle(harness.readersState(), args[0] + file("append-time"));
      OperatorSnapshotUtil.writeStateHandle(harness.judgesState(), args[0] + file("presence"));
    }
  }

  @Test
  void stateOfAFormerBuildIsRestoredWithDevicesTimersOutagesAndUsage() throws Exception {
    try (PresenceHarness harness =
        new PresenceHarness(
            PresenceHarness.options(), 1, 2, state("append-time"), state("presence"))) {
      assertThat(harness.timers()).isEqualTo(1);
      for (long t = 105_000; t <= 130_000; t += 5_000) {
        harness.message(0, T + t, null, TICK).watermark();
      }
      // Without the outage, its time would have passed at T + 35 s.
      assertThat(harness.changes()).isEmpty();
      harness.message(0, T + 131_000, null, TICK).watermark();
      harness
          .message(0, T + 132_000, "silent", RECORD)
          .message(0, T + 133_000, "there", new RecordSign(400, null));

      assertThat(harness.changesOf("there"))
          .containsExactly("offline@" + (T + 130_000), "online@" + (T + 133_000));
      assertThat(harness.changesOf("silent")).containsExactly("online@" + (T + 132_000));
      assertThat(harness.changes().get(1).description().deviceClass()).isEqualTo("phone");
      assertThat(harness.usage())
          .singleElement()
          .satisfies(usage -> assertThat(usage.bytes()).isEqualTo(1_000));
    }
  }

  private static String file(String operator) {
    return "/devices-%s-version-1.bin".formatted(operator);
  }

  private static OperatorSubtaskState state(String operator) throws Exception {
    Path file = Path.of(PresenceSnapshotTest.class.getResource(file(operator)).toURI());
    return OperatorSnapshotUtil.readStateHandle(file.toString());
  }
}
