package io.lastfix.jobs.config;

import static org.apache.flink.configuration.ConfigOptions.key;

import io.lastfix.presence.PresenceOptions;
import io.lastfix.store.presence.PresenceCollection;
import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.MemorySize;

/** The keys {@code devices.}: presence and usage, of the devices job. */
final class DevicesKeys {
  static final Key<String> HEARTBEATS_TOPIC =
      Key.text(
          key("devices.heartbeats-topic")
              .stringType()
              .defaultValue("lastfix.heartbeats")
              .withDescription(
                  "Topic of signs of life, which the gateways write. It must store append times"
                      + " (message.timestamp.type=LogAppendTime)."));

  static final Key<String> PRESENCE_TOPIC =
      Key.text(
          key("devices.presence-topic")
              .stringType()
              .defaultValue("lastfix.presence")
              .withDescription(
                  "Topic to which the devices job writes changes of presence, compacted."));

  static final Key<String> USAGE_TOPIC =
      Key.text(
          key("devices.usage-topic")
              .stringType()
              .defaultValue("lastfix.devices")
              .withDescription(
                  "Topic to which the devices job writes the bytes that devices have used: the"
                      + " gateways' devices.topic."));

  static final Key<String> COLLECTION =
      Key.name(
          key("devices.collection")
              .stringType()
              .defaultValue("devices")
              .withDescription(
                  "Collection with one document per device, in the database of Last Known"
                      + " Location."));

  static final Key<Duration> DEFAULT_INTERVAL =
      Key.positive(
          key("devices.default-interval")
              .durationType()
              .defaultValue(PresenceOptions.defaults().defaultInterval())
              .withDescription(
                  "Interval of devices that push records and never send a heartbeat. A device is"
                      + " offline after three times its interval without a sign of life."));

  static final Key<Duration> LONGEST_SILENCE =
      Key.positive(
          key("devices.longest-silence")
              .durationType()
              .defaultValue(PresenceOptions.defaults().longestSilence())
              .withDescription(
                  "If a partition of the heartbeats' topic has no message for longer, no gateway"
                      + " reached it: devices get their whole time again. Gateways write a tick every"
                      + " 5 s."));

  static final Key<Duration> SEEN_REFRESH =
      Key.positive(
          key("devices.seen-refresh")
              .durationType()
              .defaultValue(PresenceOptions.defaults().seenRefresh())
              .withDescription(
                  "The time 'seen' of a device that stays online is stored once in this time at"
                      + " most."));

  static final Key<Long> USAGE_STEP =
      Key.of(
              key("devices.usage-step")
                  .memoryType()
                  .defaultValue(new MemorySize(PresenceOptions.defaults().usageStepBytes()))
                  .withDescription(
                      "A device's usage is published whenever it passes a multiple of this: a"
                          + " two-hundredth of the gateways' quota.bytes-per-day or less."))
          .where(size -> size.getBytes() >= 1, "1 b or more")
          .as(MemorySize::getBytes);

  private DevicesKeys() {}

  /**
   * Reads the keys.
   *
   * @param profiles names of the profiles; each has its topic
   * @param neighbour collection of Last Known Location
   */
  static DevicesOptions read(
      SettingsReader reader, KafkaOptions kafka, List<String> profiles, String neighbour) {
    String collection = reader.get(COLLECTION);
    reader.require(
        !collection.equals(neighbour),
        COLLECTION,
        "another name than " + LastKnownLocationKeys.COLLECTION.name());
    String heartbeats = reader.get(HEARTBEATS_TOPIC);
    String presence = reader.get(PRESENCE_TOPIC);
    reader.require(
        !kafka.locationTopics(profiles).contains(heartbeats)
            && !heartbeats.equals(kafka.cellsTopic()),
        HEARTBEATS_TOPIC,
        "a topic of its own");
    reader.require(!presence.equals(heartbeats), PRESENCE_TOPIC, "a topic of its own");
    return new DevicesOptions(
        heartbeats,
        presence,
        reader.get(USAGE_TOPIC),
        new PresenceCollection(collection),
        new PresenceOptions(
            reader.get(DEFAULT_INTERVAL),
            reader.get(LONGEST_SILENCE),
            reader.get(SEEN_REFRESH),
            reader.get(USAGE_STEP)));
  }
}
