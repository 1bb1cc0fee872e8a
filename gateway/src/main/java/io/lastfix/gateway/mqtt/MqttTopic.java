package io.lastfix.gateway.mqtt;

import io.lastfix.model.device.HeartbeatMessage;

/** What the topic of a message says. */
sealed interface MqttTopic {
  /** What the gateway subscribes to for devices; the broker gives each message to one gateway. */
  String DEVICES_FILTER = "$share/lastfix/lastfix/v1/+/#";

  /** What it subscribes to for OwnTracks. */
  String OWNTRACKS_FILTER = "$share/lastfix/owntracks/+/+";

  /** The first level of OwnTracks' topics. */
  String OWNTRACKS = "owntracks";

  /** In the place of a device or user: a gateway finds out whether the broker delivers. */
  String PROBE = "lastfix-probe";

  /** Where a gateway hears of a probe that another gateway has taken; its name follows. */
  String ANSWERS = "lastfix/probe/";

  /** {@code lastfix/v1/DEVICE/records/PROFILE}. */
  record Records(String device, String profile) implements MqttTopic {}

  /** {@code owntracks/USER/DEVICE}. */
  record OwnTracks(String topic) implements MqttTopic {}

  /** {@code lastfix/v1/DEVICE/heartbeat}. */
  record Heartbeat(String device) implements MqttTopic {}

  /** {@code lastfix/v1/DEVICE/bye}: the device's Will, or its own last message. */
  record Bye(String device) implements MqttTopic {}

  /**
   * {@code lastfix/v1/lastfix-probe/GATEWAY} or {@code owntracks/lastfix-probe/GATEWAY}.
   *
   * @param gateway the {@linkplain ClientId#publicName() name} of the one that has published it
   * @param answer the topic that gateway reads
   */
  record Probe(String gateway, String answer) implements MqttTopic {}

  /** Any other. */
  record Unknown() implements MqttTopic {}

  /** The topic of a gateway's probes of the subscription to OwnTracks, or to devices. */
  static String probe(boolean isOwnTracks, String gateway) {
    return (isOwnTracks ? OWNTRACKS : "lastfix/v1") + "/" + PROBE + "/" + gateway;
  }

  /** Reads a topic. */
  static MqttTopic parse(String topic) {
    String[] levels = topic.split("/", -1);
    int last = levels.length - 1;
    if (last > 0 && levels[last - 1].equals(PROBE) && levels[last].matches("[0-9a-f]{16}")) {
      return topic.equals(probe(levels[0].equals(OWNTRACKS), levels[last]))
          ? new Probe(levels[last], ANSWERS + levels[last] + "/" + levels[0])
          : new Unknown();
    }
    if (levels.length == 3 && levels[0].equals(OWNTRACKS)) {
      return isName(levels[1]) && isName(levels[2]) && isName(topic)
          ? new OwnTracks(topic)
          : new Unknown();
    }
    boolean isDevice =
        levels.length >= 4
            && levels[0].equals("lastfix")
            && levels[1].equals("v1")
            && isName(levels[2]);
    if (!isDevice) {
      return new Unknown();
    }
    if (levels.length == 5 && levels[3].equals("records") && isName(levels[4])) {
      return new Records(levels[2], levels[4]);
    }
    if (levels.length != 4) {
      return new Unknown();
    }
    return switch (levels[3]) {
      case "heartbeat" -> new Heartbeat(levels[2]);
      case "bye" -> new Bye(levels[2]);
      default -> new Unknown();
    };
  }

  private static boolean isName(String text) {
    return !text.isEmpty()
        && text.length() <= HeartbeatMessage.MAX_DEVICE
        && text.chars().noneMatch(Character::isISOControl);
  }
}
