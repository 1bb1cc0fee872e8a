package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.Quantity;
import io.lastfix.kit.config.SettingsReader;
import io.lastfix.presence.PresenceOptions;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.presence.PresenceCollection;
import java.io.Serializable;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The topics and the collection of the devices job, and how it judges presence: the keys {@code
 * devices.}.
 *
 * @param heartbeatsTopic topic of signs of life and ticks
 * @param presenceTopic topic of changes
 * @param usageTopic topic of groups and devices, which gets the devices' usage, too
 * @param collection collection with one document per device
 * @param presence how presence is judged
 */
public record DevicesOptions(
    String heartbeatsTopic,
    String presenceTopic,
    String usageTopic,
    PresenceCollection collection,
    PresenceOptions presence)
    implements Serializable {
  /** A hundred years. */
  private static final int MOST_DAYS = 36_500;

  /** On the day of its last sign of life a device's usage has to stay. */
  private static final String A_LONG_TIME = "1 d to %d d, or never".formatted(MOST_DAYS);

  static final Key<String> HEARTBEATS_TOPIC =
      Key.text(
          "devices.heartbeats-topic",
          "lastfix.heartbeats",
          "Topic of signs of life, which the gateways write. It must store append times"
              + " (message.timestamp.type=LogAppendTime).");

  static final Key<String> PRESENCE_TOPIC =
      Key.text(
          "devices.presence-topic",
          "lastfix.presence",
          "Topic to which the devices job writes changes of presence, compacted.");

  static final Key<String> USAGE_TOPIC =
      Key.text(
          "devices.usage-topic",
          "lastfix.devices",
          "Topic to which the devices job writes the bytes that devices have used: the gateways'"
              + " devices.topic.");

  static final Key<String> COLLECTION =
      Key.nameText(
          "devices.collection",
          "devices",
          "Collection with one document per device, in the database of Last Known Location.");

  static final Key<Duration> DEFAULT_INTERVAL =
      Key.positiveDuration(
          "devices.default-interval",
          "10 min",
          "Interval of devices that push records and never send a heartbeat. A device is offline"
              + " after three times its interval without a sign of life. If you shorten it, a device"
              + " that is silent then keeps its former time until its next sign of life.");

  static final Key<Duration> LONGEST_SILENCE =
      Key.positiveDuration(
          "devices.longest-silence",
          "15 s",
          "If a partition of the heartbeats' topic has no message for longer, no gateway reached it:"
              + " devices get their whole time again. Gateways write a tick every 5 s.");

  static final Key<Duration> SEEN_REFRESH =
      Key.positiveDuration(
          "devices.seen-refresh",
          "5 min",
          "The time 'seen' of a device that stays online is stored once in this time at most.");

  static final Key<Optional<Duration>> FORGET_AFTER =
      Key.anyText(
              "devices.forget-after",
              "400 d",
              "A device that has been offline for this long is forgotten: its document, its messages in"
                  + " both topics and its state go. '1 d' to '36500 d', or 'never'. A change counts for"
                  + " devices from their next change on.")
          .as(DevicesOptions::forgetAfter);

  static final Key<Long> USAGE_STEP =
      Key.size(
              "devices.usage-step",
              "512 kb",
              "A device's usage is published whenever it passes a multiple of this: a two-hundredth of"
                  + " the gateways' quota.bytes-per-day or less.")
          .where(size -> size >= 1, "1 b or more");

  private static Optional<Duration> forgetAfter(String text) {
    if (text.equals("never")) {
      return Optional.empty();
    }
    Duration after = Quantity.duration(text, A_LONG_TIME);
    if (after.toDays() < 1 || after.toDays() > MOST_DAYS) {
      throw Key.expected(A_LONG_TIME);
    }
    return Optional.of(after);
  }

  /**
   * Reads the keys.
   *
   * @param taken the topics that other keys name; receives more
   * @param history whose collections are in the same database; null: they are in another one
   */
  static DevicesOptions read(
      SettingsReader reader, Set<String> taken, @Nullable HistoryOptions history) {
    String collection = reader.get(COLLECTION);
    LastKnownLocationKeys.requireOther(reader, COLLECTION, LastKnownLocationKeys.COLLECTION);
    LastKnownLocationKeys.requireOther(reader, COLLECTION, PrivacyKeys.ERASURE_LIST_COLLECTION);
    reader.require(
        history == null
            || !(collection.equals(history.view())
                || HistoryPartition.parse(history.collectionPrefix(), collection).isPresent()),
        COLLECTION,
        "another name than History's view and partitions ("
            + HistoryKeys.VIEW.name()
            + ", "
            + HistoryKeys.COLLECTION_PREFIX.name()
            + ")");
    String heartbeats = reader.get(HEARTBEATS_TOPIC);
    String presence = reader.get(PRESENCE_TOPIC);
    String usage = reader.get(USAGE_TOPIC);
    reader.require(taken.add(heartbeats), HEARTBEATS_TOPIC, KafkaOptions.NEW_TOPIC);
    reader.require(taken.add(presence), PRESENCE_TOPIC, KafkaOptions.NEW_TOPIC);
    reader.require(taken.add(usage), USAGE_TOPIC, KafkaOptions.NEW_TOPIC);
    return new DevicesOptions(
        heartbeats,
        presence,
        usage,
        new PresenceCollection(collection),
        new PresenceOptions(
            reader.get(DEFAULT_INTERVAL),
            reader.get(LONGEST_SILENCE),
            reader.get(SEEN_REFRESH),
            reader.get(FORGET_AFTER).orElse(null),
            reader.get(USAGE_STEP)));
  }
}
