package io.lastfix.jobs.kafka.messages;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.Presence;
import io.lastfix.store.erasure.PseudonymKey;
import io.lastfix.store.erasure.UserNames;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.metrics.Counter;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the topic of changes of presence, as {@link PresenceRecordSerializer} writes it, without
 * what devices say of themselves. A message without a value is a forgotten device, with times of 0.
 *
 * <p>It skips a message that is no such change, or has a time that no device can have: anyone may
 * write to a topic, and one message must not stop the job, as an alert of a year without a
 * collection would. The log has the place of the first one; {@code presenceUnreadable}, in the
 * source's group, counts all.
 *
 * <p>The topic has the devices' own ids. If located records have pseudonyms, devices get theirs.
 */
public final class PresenceTopicDeserializer implements KafkaRecordDeserializationSchema<Presence> {
  private static final Logger LOG = LoggerFactory.getLogger(PresenceTopicDeserializer.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int VERSION = 1;

  /** A time may be ahead of the clock here by so much: it is that of another machine. */
  private static final Duration CLOCKS_DIFFER = Duration.ofHours(1);

  private final @Nullable PseudonymKey pseudonymKey;
  private transient UserNames names;
  private transient Counter unreadable;

  /**
   * @param pseudonymKey null: located records have the devices' own ids
   */
  public PresenceTopicDeserializer(@Nullable PseudonymKey pseudonymKey) {
    this.pseudonymKey = pseudonymKey;
  }

  @Override
  public void open(DeserializationSchema.InitializationContext context) {
    names = UserNames.of(pseudonymKey);
    unreadable = context.getMetricGroup().counter("presenceUnreadable");
  }

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> consumed, Collector<Presence> out) {
    Presence presence = read(consumed);
    if (presence != null) {
      out.collect(presence);
    }
  }

  /** Returns the change; null if the message was skipped. */
  private @Nullable Presence read(ConsumerRecord<byte[], byte[]> consumed) {
    byte[] key = consumed.key();
    if (key == null || key.length == 0) {
      skip(consumed, "it has no key");
      return null;
    }
    try {
      return presence(names.storedAs(new String(key, UTF_8)), consumed.value());
    } catch (IOException e) {
      // Its message quotes the value.
      skip(consumed, "the value is no JSON");
    } catch (IllegalArgumentException | DateTimeException e) {
      skip(
          consumed,
          "the value is no change of presence of version %d, or its times are not possible"
              .formatted(VERSION));
    }
    return null;
  }

  private static Presence presence(String device, byte @Nullable [] value) throws IOException {
    if (value == null) {
      return new Presence(device, Presence.State.FORGOTTEN, 0, 0, DeviceDescription.NONE);
    }
    JsonNode json = JSON.readTree(value);
    if (json.path("v").asInt() != VERSION) {
      throw new IllegalArgumentException("v");
    }
    return new Presence(
        device,
        state(json.path("state").asText()),
        millis(json.path("since")),
        millis(json.path("seen")),
        DeviceDescription.NONE);
  }

  private static Presence.State state(String text) {
    for (Presence.State state : Presence.State.values()) {
      if (state != Presence.State.FORGOTTEN && state.text().equals(text)) {
        return state;
      }
    }
    throw new IllegalArgumentException("state");
  }

  private static long millis(JsonNode json) {
    Instant time = Instant.parse(json.asText());
    if (time.isBefore(Instant.EPOCH) || time.isAfter(Instant.now().plus(CLOCKS_DIFFER))) {
      throw new IllegalArgumentException("time");
    }
    return time.toEpochMilli();
  }

  /** A topic may hold any number of them, so only the first one is logged. */
  private void skip(ConsumerRecord<byte[], byte[]> consumed, String reason) {
    if (unreadable.getCount() == 0) {
      LOG.warn(
          "Skipping a message of {}, partition {}, offset {}, and others like it: {}",
          consumed.topic(),
          consumed.partition(),
          consumed.offset(),
          reason);
    }
    unreadable.inc();
  }

  @Override
  public TypeInformation<Presence> getProducedType() {
    return Types.POJO(Presence.class);
  }
}
