package io.lastfix.presence;

import io.lastfix.model.device.HeartbeatMessage;

/**
 * What reaches {@link PresenceFunction}, in the order of each partition of {@code
 * lastfix.heartbeats}.
 */
public sealed interface PresenceInput {
  /** Decides about the subtask: the device, or a text that stands for a key group. */
  String key();

  /**
   * A device's sign of life.
   *
   * @param timeMillis the append time; never less than that of a message before it in the partition
   */
  record SignOfLife(
      String device, int partition, long offset, long timeMillis, HeartbeatMessage.Sign sign)
      implements PresenceInput {
    @Override
    public String key() {
      return device;
    }
  }

  /** A partition had an outage; sent to each key group, before the first message after it. */
  record OutageEnded(String key, Outage outage) implements PresenceInput {}
}
