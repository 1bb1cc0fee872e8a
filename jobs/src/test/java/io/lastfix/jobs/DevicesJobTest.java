package io.lastfix.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.DeviceUsage;
import io.lastfix.model.device.HeartbeatCodec;
import io.lastfix.model.device.HeartbeatMessage;
import io.lastfix.model.device.HeartbeatMessage.Heartbeat;
import io.lastfix.model.device.HeartbeatMessage.RecordSign;
import io.lastfix.model.device.Presence;
import io.lastfix.parse.HeaderList;
import io.lastfix.parse.RawMessage;
import io.lastfix.presence.PresenceOptions;
import io.lastfix.presence.TestErasures;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The workflow of the devices job in one JVM, with lists for servers. */
class DevicesJobTest {
  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(2)
              .build());

  private static final long T = 1_795_176_000_000L;
  private static final LocationJobConfig CONFIG =
      LocationJobConfig.load(null, List.of("job.parallelism=2"), name -> null);
  private static final PresenceOptions OPTIONS =
      new PresenceOptions(
          Duration.ofSeconds(10),
          Duration.ofMinutes(15),
          Duration.ofMinutes(5),
          Duration.ofDays(1),
          500);

  private final CollectingSink<Presence> stored = new CollectingSink<>();
  private final CollectingSink<Presence> changes = new CollectingSink<>();
  private final CollectingSink<DeviceUsage> usage = new CollectingSink<>();

  @AfterEach
  void forgetWhatWasCollected() {
    CollectingSink.clear();
  }

  @Test
  void aDeviceComesAndUsesBytesAndFallsSilentAndIsForgotten() throws Exception {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(LocationJob.flinkConfiguration(CONFIG));
    GeneratorFunction<Long, RawMessage> heartbeats = DevicesJobTest::message;
    DevicesJob.defineWorkflow(
        environment,
        OPTIONS,
        new DataGeneratorSource<>(heartbeats, 2, TypeInformation.of(RawMessage.class)),
        1,
        new TestErasures(),
        stored,
        changes,
        usage);
    var unused = environment.execute();

    DeviceDescription said = new DeviceDescription("phone", "acme/1", null);
    long seen = T + 5_000;
    long offline = seen + 30_000;
    long forgotten = offline + 86_400_000;
    assertThat(changes.collected())
        .containsExactly(
            new Presence("a", Presence.State.ONLINE, T, T, said),
            new Presence("a", Presence.State.OFFLINE, offline, seen, said),
            new Presence("a", Presence.State.FORGOTTEN, forgotten, seen, said));
    assertThat(stored.collected()).isEqualTo(changes.collected());
    assertThat(usage.collected())
        .containsExactly(
            new DeviceUsage("a", LocalDate.ofEpochDay(T / 86_400_000), 600, 0, 1),
            DeviceUsage.forgotten("a"));
  }

  private static RawMessage message(long offset) {
    HeartbeatMessage sign =
        offset == 0
            ? new Heartbeat(0, 1, 10, "phone", "acme/1", null, null)
            : new RecordSign(600, null);
    byte[] key = "a".getBytes(UTF_8);
    byte[] value = HeartbeatCodec.write(sign);
    return new RawMessage(
        "lastfix.heartbeats",
        0,
        offset,
        key,
        key.length,
        value,
        value.length,
        T + offset * 5_000,
        RawMessage.UNKNOWN_TIME,
        HeaderList.NONE);
  }
}
