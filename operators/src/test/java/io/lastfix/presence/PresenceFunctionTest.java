package io.lastfix.presence;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.DeviceUsage;
import io.lastfix.model.device.HeartbeatMessage;
import io.lastfix.model.device.HeartbeatMessage.Heartbeat;
import io.lastfix.model.device.HeartbeatMessage.RecordSign;
import io.lastfix.model.device.HeartbeatMessage.Tick;
import io.lastfix.model.device.Presence;
import io.lastfix.parse.RawMessage;
import java.time.Duration;
import java.time.LocalDate;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The devices job without servers: what becomes of signs of life, ticks and outages. */
class PresenceFunctionTest {
  private static final long T = 1_795_176_000_000L;
  private static final HeartbeatMessage TICK = new Tick("gateway-1");
  private static final HeartbeatMessage RECORD = new RecordSign(100, null);
  private static final String MANIFEST = "0f".repeat(32);

  private PresenceHarness harness;

  @BeforeEach
  void start() throws Exception {
    harness = new PresenceHarness(PresenceHarness.options(), 1);
  }

  @AfterEach
  void stop() throws Exception {
    harness.close();
  }

  private static HeartbeatMessage heartbeat(int intervalSeconds) {
    return new Heartbeat(10, 1, intervalSeconds, "phone", "acme/1", MANIFEST, null);
  }

  /** Ticks of partition 0, every 5 s, each followed by a watermark. */
  private void ticks(long fromMillis, long toMillis) throws Exception {
    for (long t = fromMillis; t <= toMillis; t += 5_000) {
      harness.message(0, T + t, null, TICK).watermark();
    }
  }

  @Test
  void aDeviceIsOnlineWithItsFirstSignOfLifeAndOfflineAfterThreeIntervals() throws Exception {
    harness.message(0, T, "a", heartbeat(20));
    ticks(0, 60_000);
    assertThat(harness.changesOf("a")).containsExactly("online@" + T);

    ticks(65_000, 65_000);

    DeviceDescription said = new DeviceDescription("phone", "acme/1", MANIFEST);
    assertThat(harness.changes())
        .containsExactly(
            new Presence("a", Presence.State.ONLINE, T, T, said),
            new Presence("a", Presence.State.OFFLINE, T + 60_000, T, said));
    assertThat(harness.updates()).isEqualTo(harness.changes());
    assertThat(harness.timers()).isZero();
  }

  /** As from a partition that the topic got later, and that is read after the others. */
  @Test
  void aLateSignOfLifeOfASilentDeviceChangesNothing() throws Exception {
    harness.message(0, T, "a", RECORD);
    ticks(0, 60_000);
    assertThat(harness.changesOf("a")).containsExactly("online@" + T, "offline@" + (T + 30_000));

    harness.message(1, T + 10_000, "a", RECORD);

    assertThat(harness.timers()).isZero();
    assertThat(harness.updates()).hasSize(2);
  }

  @Test
  void aSignOfLifeExactlyAtTheDeadlineIsInTime() throws Exception {
    harness.message(0, T, "a", RECORD);
    ticks(0, 25_000);
    harness.message(0, T + 30_000, "a", RECORD).watermark();
    ticks(30_000, 55_000);

    assertThat(harness.changesOf("a")).containsExactly("online@" + T);
  }

  @Test
  void aDeviceThatOnlyPushesRecordsHasTheDefaultInterval() throws Exception {
    harness.message(0, T, "a", RECORD);
    ticks(0, 35_000);

    assertThat(harness.changesOf("a")).containsExactly("online@" + T, "offline@" + (T + 30_000));
  }

  @Test
  void signsOfLifeDoNotMoveTheTimer() throws Exception {
    harness.message(0, T, "a", heartbeat(10));
    for (int i = 1; i <= 100; i++) {
      harness.message(0, T + i * 1_000L, "a", heartbeat(10)).watermark();
      assertThat(harness.timers()).isEqualTo(1);
    }
    ticks(101_000, 136_000);

    assertThat(harness.changesOf("a")).containsExactly("online@" + T, "offline@" + (T + 130_000));
  }

  @Test
  void anIntervalThatBecomesShorterCountsAtOnce() throws Exception {
    harness.message(0, T, "a", heartbeat(3_600)).message(0, T + 1_000, "a", heartbeat(5));
    assertThat(harness.timers()).isEqualTo(1);
    ticks(5_000, 20_000);

    assertThat(harness.changesOf("a")).containsExactly("online@" + T, "offline@" + (T + 16_000));
  }

  @Test
  void aDeviceReturnsWithItsNextSignOfLife() throws Exception {
    harness.message(0, T, "a", RECORD);
    ticks(0, 60_000);
    harness.message(0, T + 61_000, "a", RECORD);
    ticks(65_000, 95_000);

    assertThat(harness.changesOf("a"))
        .containsExactly(
            "online@" + T,
            "offline@" + (T + 30_000),
            "online@" + (T + 61_000),
            "offline@" + (T + 91_000));
  }

  private void forgetAfter(Duration time) throws Exception {
    harness.close();
    harness = new PresenceHarness(PresenceHarness.options(time), 1);
  }

  @Test
  void aDeviceThatWasSilentForLongIsForgotten() throws Exception {
    forgetAfter(Duration.ofMinutes(1));
    harness.message(0, T, "a", heartbeat(20));
    ticks(0, 60_000);
    harness.restore(2);
    ticks(65_000, 120_000);
    assertThat(harness.changesOf("a")).containsExactly("online@" + T, "offline@" + (T + 60_000));
    assertThat(harness.timers()).isEqualTo(1);

    ticks(125_000, 125_000);

    DeviceDescription said = new DeviceDescription("phone", "acme/1", MANIFEST);
    assertThat(harness.changes())
        .last()
        .isEqualTo(new Presence("a", Presence.State.FORGOTTEN, T + 120_000, T, said));
    assertThat(harness.updates()).last().isEqualTo(harness.changes().get(2));
    assertThat(harness.usage()).containsExactly(DeviceUsage.forgotten("a"));
    assertThat(harness.timers()).isZero();
    assertThat(harness.devices()).isZero();
  }

  @Test
  void aForgottenDeviceThatReturnsIsANewOne() throws Exception {
    forgetAfter(Duration.ofMinutes(1));
    harness.message(0, T, "a", heartbeat(5));
    ticks(0, 80_000);
    harness.message(0, T + 80_000, "a", RECORD);
    ticks(85_000, 115_000);

    assertThat(harness.changesOf("a"))
        .containsExactly(
            "online@" + T,
            "offline@" + (T + 15_000),
            "forgotten@" + (T + 75_000),
            "online@" + (T + 80_000),
            "offline@" + (T + 110_000));
    assertThat(harness.changes().get(4).description()).isEqualTo(DeviceDescription.NONE);
  }

  @Test
  void aDeviceThatReturnsInTimeIsNotForgotten() throws Exception {
    forgetAfter(Duration.ofMinutes(1));
    harness.message(0, T, "a", heartbeat(5));
    ticks(0, 60_000);
    harness.message(0, T + 75_000, "a", RECORD);
    assertThat(harness.timers()).isEqualTo(1);
    ticks(80_000, 90_000);

    assertThat(harness.changesOf("a"))
        .containsExactly("online@" + T, "offline@" + (T + 15_000), "online@" + (T + 75_000));
  }

  /** Erased at T + 20 s, with a last erased timestamp of T + 60 s. */
  @Test
  void anErasedDeviceThatLivesOnBeginsAnewAfterTheErasure() throws Exception {
    harness.message(0, T, "a", heartbeat(20)).message(0, T, "b", heartbeat(20));
    ticks(0, 20_000);
    harness.erase("a", T + 60_000).restore(2);
    for (long t = 25_000; t <= 70_000; t += 5_000) {
      harness.message(0, T + t, "a", RECORD).message(0, T + t, "b", RECORD).watermark();
    }

    assertThat(harness.changesOf("a")).containsExactly("online@" + T, "online@" + (T + 65_000));
    assertThat(harness.changes())
        .last()
        .isEqualTo(
            new Presence(
                "a",
                Presence.State.ONLINE,
                T + 65_000,
                T + 65_000,
                new DeviceDescription(null, null, null)));
    assertThat(harness.changesOf("b")).containsExactly("online@" + T);
    assertThat(harness.timers()).isEqualTo(2);
    // Both had 10 + 10 * 100 bytes: the quota holds on.
    assertThat(harness.usage()).extracting(DeviceUsage::bytes).containsExactly(1_010L, 1_010L);
    // The default interval: what it said about its interval is erased, too.
    ticks(75_000, 110_000);
    assertThat(harness.changesOf("a")).last().isEqualTo("offline@" + (T + 100_000));
  }

  @Test
  void anErasedDeviceThatReturnsLaterBeginsAnew() throws Exception {
    harness.message(0, T, "a", heartbeat(5));
    ticks(0, 20_000);
    harness.erase("a", T + 10_000).restore(1);
    harness.message(0, T + 80_000, "a", RECORD);
    harness.restore(2).message(0, T + 81_000, "a", heartbeat(5)).restore(1);

    assertThat(harness.changesOf("a"))
        .containsExactly("online@" + T, "offline@" + (T + 15_000), "online@" + (T + 80_000));
    assertThat(harness.changes().get(2).description()).isEqualTo(DeviceDescription.NONE);
  }

  /** As in a replay of a topic, where signs of life come before the watermark. */
  @Test
  void aReturnBeforeTheWatermarkHasPassedGivesAllChangesAtOnce() throws Exception {
    forgetAfter(Duration.ofMinutes(1));
    harness.message(0, T, "a", heartbeat(5));
    for (long t = 5_000; t <= 80_000; t += 5_000) {
      harness.message(0, T + t, null, TICK);
    }
    harness.message(0, T + 80_000, "a", RECORD);

    assertThat(harness.changesOf("a"))
        .containsExactly(
            "online@" + T,
            "offline@" + (T + 15_000),
            "forgotten@" + (T + 75_000),
            "online@" + (T + 80_000));
    assertThat(harness.timers()).isEqualTo(1);
  }

  @Test
  void withoutTicksNoTimePasses() throws Exception {
    harness.message(0, T, "a", RECORD);
    for (int i = 0; i < 10; i++) {
      harness.watermark();
    }

    assertThat(harness.changesOf("a")).containsExactly("online@" + T);
  }

  @Test
  void anOutageOfAllGatewaysMarksNobodyOffline() throws Exception {
    harness.message(0, T, "a", RECORD).message(0, T, "b", RECORD);
    ticks(0, 20_000);
    // Ten minutes of silence in the topic, then the gateways are back, and device a is, too.
    ticks(620_000, 640_000);
    harness.message(0, T + 645_000, "a", RECORD).watermark();
    assertThat(harness.changes()).hasSize(2);

    ticks(645_000, 670_000);

    assertThat(harness.changesOf("a")).containsExactly("online@" + T);
    assertThat(harness.changesOf("b")).containsExactly("online@" + T, "offline@" + (T + 650_000));
  }

  @Test
  void whoWasSilentBeforeAnOutageIsOfflineAllTheSame() throws Exception {
    harness.message(0, T, "a", RECORD);
    ticks(0, 30_000);
    ticks(600_000, 600_000);

    assertThat(harness.changesOf("a")).containsExactly("online@" + T, "offline@" + (T + 30_000));
  }

  @Test
  void aPartitionWithoutTicksHoldsAllOthersBack() throws Exception {
    harness.close();
    harness = new PresenceHarness(PresenceHarness.options(), 2);
    harness.message(0, T, "a", RECORD).message(1, T, "b", RECORD).watermark();
    ticks(0, 600_000);
    assertThat(harness.changes()).hasSize(2);

    harness.message(1, T + 600_000, null, TICK).watermark();

    assertThat(harness.changesOf("a")).containsExactly("online@" + T, "offline@" + (T + 30_000));
    assertThat(harness.changesOf("b")).containsExactly("online@" + T);
  }

  @Test
  void aSignOfLifeThatArrivesBeforeTheWatermarkReachedTheDeadlineGivesBothChanges()
      throws Exception {
    harness.message(0, T, "a", RECORD);
    for (long t = 5_000; t <= 50_000; t += 5_000) {
      harness.message(0, T + t, null, TICK);
    }
    harness.message(0, T + 50_000, "a", RECORD);

    assertThat(harness.changesOf("a"))
        .containsExactly("online@" + T, "offline@" + (T + 30_000), "online@" + (T + 50_000));
    assertThat(harness.timers()).isEqualTo(1);
  }

  @Test
  void aMessageThatIsDatedBeforeTheOneAheadOfItHasThatOnesTime() throws Exception {
    harness.message(0, T + 2_000, null, TICK).message(0, T, "a", RECORD);

    assertThat(harness.changesOf("a")).containsExactly("online@" + (T + 2_000));
  }

  @Test
  void seenIsRefreshedOnceInFiveMinutesAtMost() throws Exception {
    for (int i = 0; i <= 60; i++) {
      harness.message(0, T + i * 10_000L, "a", RECORD).watermark();
    }

    assertThat(harness.changes()).hasSize(1);
    assertThat(harness.updates())
        .extracting(Presence::seenMillis)
        .containsExactly(T, T + 300_000, T + 600_000);
  }

  @Test
  void whatADeviceSaysOfItselfIsPutOutAtOnce() throws Exception {
    harness
        .message(0, T, "a", RECORD)
        .message(0, T + 1_000, "a", heartbeat(20))
        .message(0, T + 2_000, "a", heartbeat(20))
        .message(0, T + 3_000, "a", new RecordSign(1, "acme/2"))
        .message(0, T + 4_000, "a", RECORD);

    assertThat(harness.changes()).hasSize(1);
    assertThat(harness.updates())
        .extracting(Presence::seenMillis)
        .containsExactly(T, T + 1_000, T + 3_000);
    assertThat(harness.updates().get(1).description().deviceClass()).isEqualTo("phone");
    assertThat(harness.updates().get(2).description())
        .isEqualTo(new DeviceDescription("phone", "acme/2", MANIFEST));
  }

  @Test
  void aRecordKeepsWhatTheHeartbeatSaid() throws Exception {
    harness
        .message(0, T, "a", heartbeat(20))
        .message(0, T + 1_000, "a", new RecordSign(1, "acme/2"));
    ticks(5_000, 65_000);

    assertThat(harness.changes().get(1).description())
        .isEqualTo(new DeviceDescription("phone", "acme/2", MANIFEST));
  }

  @Test
  void theUsageIsPutOutAtEachStepAndStartsAnewWithTheDay() throws Exception {
    long day = TimeUnit.MILLISECONDS.toDays(T);
    long midnight = TimeUnit.DAYS.toMillis(day + 1);
    harness
        .message(0, midnight - 3, "a", new RecordSign(999, null))
        .message(0, midnight - 2, "a", new RecordSign(1, null))
        .message(0, midnight - 1, "a", new RecordSign(2_500, null))
        .restore(2)
        .message(0, midnight, "a", new RecordSign(999, null))
        .message(0, midnight + 1, "a", new RecordSign(1, null));

    LocalDate date = LocalDate.ofEpochDay(day);
    assertThat(harness.usage())
        .containsExactly(
            new DeviceUsage("a", date, 1_000, 0, 1),
            new DeviceUsage("a", date, 3_500, 0, 2),
            new DeviceUsage("a", date.plusDays(1), 1_000, 0, 4));
  }

  @Test
  void theUsageBelowAStepIsPutOutIfAGatewayAsksForIt() throws Exception {
    harness
        .message(0, T, "a", new RecordSign(700, null))
        .message(0, T + 1, "a", new RecordSign(0, null));

    assertThat(harness.usage())
        .containsExactly(
            new DeviceUsage("a", LocalDate.ofEpochDay(TimeUnit.MILLISECONDS.toDays(T)), 700, 0, 1));
  }

  /** What it waits for counted for the day before. Without an answer it would wait all day. */
  @Test
  void aGatewayThatAsksIsAnsweredAlsoIfNothingIsUsed() throws Exception {
    long day = TimeUnit.MILLISECONDS.toDays(T);
    long midnight = TimeUnit.DAYS.toMillis(day + 1);
    harness
        .message(0, midnight - 1, "a", new RecordSign(700, null))
        .message(0, midnight, "a", new RecordSign(0, null));

    assertThat(harness.usage())
        .containsExactly(new DeviceUsage("a", LocalDate.ofEpochDay(day + 1), 0, 0, 1));
  }

  @Test
  void whatCannotBeReadIsSkippedAndStillShowsThatAGatewayRuns() throws Exception {
    harness.message(0, T, "a", RECORD);
    for (long t = 10_000; t <= 40_000; t += 10_000) {
      harness.bytes(0, T + t, "a", new byte[] {9, 9}).message(0, T + t, null, RECORD).watermark();
    }

    assertThat(harness.changesOf("a")).containsExactly("online@" + T, "offline@" + (T + 30_000));
  }

  /** As from before the topic stored append times: they would stop every start of the job. */
  @Test
  void messagesWithoutAnAppendTimeAreCountedAndChangeNothing() throws Exception {
    harness.message(0, RawMessage.UNKNOWN_TIME, "a", RECORD).message(0, T, "b", RECORD);
    ticks(0, 20_000);
    harness.message(0, RawMessage.UNKNOWN_TIME, "b", RECORD);
    ticks(25_000, 35_000);

    assertThat(harness.changesOf("a")).isEmpty();
    assertThat(harness.changesOf("b")).containsExactly("online@" + T, "offline@" + (T + 30_000));
  }

  /** No gateway writes it, but its presence would be too large for lastfix.presence. */
  @Test
  void aSignOfLifeWithAHugeKeyIsSkipped() throws Exception {
    harness.message(0, T, "a".repeat(257), RECORD).message(0, T, "a".repeat(256), RECORD);

    assertThat(harness.changes()).extracting(Presence::device).containsExactly("a".repeat(256));
  }
}
