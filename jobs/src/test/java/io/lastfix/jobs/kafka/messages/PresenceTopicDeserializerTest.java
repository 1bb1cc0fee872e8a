package io.lastfix.jobs.kafka.messages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.Presence;
import io.lastfix.store.erasure.PseudonymKey;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.SimpleUserCodeClassLoader;
import org.apache.flink.util.UserCodeClassLoader;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What comes out of the topic of changes of presence, whoever wrote to it. */
class PresenceTopicDeserializerTest {
  private static final Presence OFFLINE =
      new Presence("d", Presence.State.OFFLINE, 180_000, 1, DeviceDescription.NONE);

  private final Counter unreadable = new SimpleCounter();
  private final List<Presence> presences = new ArrayList<>();

  private PresenceTopicDeserializer deserializer(@Nullable PseudonymKey key) {
    PresenceTopicDeserializer deserializer = new PresenceTopicDeserializer(key);
    deserializer.open(
        new DeserializationSchema.InitializationContext() {
          @Override
          public MetricGroup getMetricGroup() {
            return new Counting();
          }

          @Override
          public UserCodeClassLoader getUserCodeClassLoader() {
            return SimpleUserCodeClassLoader.create(getClass().getClassLoader());
          }
        });
    return deserializer;
  }

  private final class Counting extends UnregisteredMetricsGroup {
    @Override
    public Counter counter(String name) {
      assertThat(name).isEqualTo("presenceUnreadable");
      return unreadable;
    }
  }

  private void read(@Nullable PseudonymKey key, Presence written) {
    ProducerRecord<byte[], byte[]> message =
        new PresenceRecordSerializer("t").serialize(written, null, null);
    read(deserializer(key), message.key(), message.value());
  }

  private void read(
      PresenceTopicDeserializer deserializer, byte @Nullable [] key, byte @Nullable [] value) {
    deserializer.deserialize(
        new ConsumerRecord<>("t", 3, 17, key, value), new ListCollector<>(presences));
  }

  @Test
  void aChangeIsReadAsItWasWritten_ButForItsDescription() {
    Presence online =
        new Presence("d", Presence.State.ONLINE, 5, 5, new DeviceDescription("phone", "a", null));

    read(null, online);
    read(null, OFFLINE);

    assertThat(presences)
        .containsExactly(
            new Presence("d", Presence.State.ONLINE, 5, 5, DeviceDescription.NONE), OFFLINE);
    assertThat(unreadable.getCount()).isZero();
  }

  @Test
  void aMessageWithoutAValueIsAForgottenDevice() {
    read(null, new Presence("d", Presence.State.FORGOTTEN, 7, 1, DeviceDescription.NONE));

    assertThat(presences)
        .containsExactly(new Presence("d", Presence.State.FORGOTTEN, 0, 0, DeviceDescription.NONE));
  }

  /** By the value of PseudonymsTest. */
  @Test
  void aDeviceIsNamedAsItsRecordsAre() {
    Presence presence =
        new Presence("350000000007919", Presence.State.ONLINE, 5, 5, DeviceDescription.NONE);

    read(new PseudonymKey("0123456789abcdef"), presence);

    assertThat(presences)
        .extracting(Presence::device)
        .containsExactly("35c1ba0a309818215a5c1213bc9be554");
  }

  @Test
  void anyOtherMessageIsSkippedAndCounted() {
    PresenceTopicDeserializer deserializer = deserializer(null);
    byte[] key = {'d'};
    String since = "\"since\":\"1970-01-01T00:00:00Z\",\"seen\":\"1970-01-01T00:00:00Z\"}";

    read(deserializer, null, "{}".getBytes(UTF_8));
    read(deserializer, key, "{".getBytes(UTF_8));
    read(deserializer, key, "{}".getBytes(UTF_8));
    read(deserializer, key, ("{\"v\":2,\"state\":\"online\"," + since).getBytes(UTF_8));
    read(deserializer, key, ("{\"v\":1,\"state\":\"asleep\"," + since).getBytes(UTF_8));
    read(deserializer, key, ("{\"v\":1,\"state\":\"forgotten\"," + since).getBytes(UTF_8));
    read(deserializer, key, "{\"v\":1,\"state\":\"online\"}".getBytes(UTF_8));
    String online = "{\"v\":1,\"state\":\"online\"," + since;
    read(deserializer, key, online.replace("1970", "1969").getBytes(UTF_8));
    read(deserializer, key, online.replaceFirst("1970", "9999").getBytes(UTF_8));
    read(deserializer, key, online.replace("1970", "+292279000").getBytes(UTF_8));
    assertThat(presences).isEmpty();
    assertThat(unreadable.getCount()).isEqualTo(10);

    read(deserializer, key, online.getBytes(UTF_8));
    assertThat(presences).hasSize(1);
  }
}
