package io.lastfix.presence;

import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.Presence;

/**
 * What {@link PresenceFunction} keeps of a device. Times are append times in epoch milliseconds.
 *
 * @param isOnline whether it is there
 * @param sinceMillis when that began, online or offline
 * @param seenMillis the last sign of life
 * @param storedSeenMillis the last sign of life that was put out
 * @param timerMillis when its timer fires; {@link #NO_TIMER} if it has none
 * @param intervalSeconds of its last heartbeat; 0 if it never sent one
 * @param partition of its last sign of life
 * @param epochDay of {@code bytes}, in UTC
 * @param bytes that gateways accepted from it on that day
 * @param description what it said about itself; devices that said the same share it
 */
record DeviceState(
    boolean isOnline,
    long sinceMillis,
    long seenMillis,
    long storedSeenMillis,
    long timerMillis,
    int intervalSeconds,
    int partition,
    int epochDay,
    long bytes,
    DeviceDescription description) {
  static final long NO_TIMER = Long.MAX_VALUE;

  /** Of a device that gave no sign of life yet. */
  static final DeviceState UNKNOWN =
      new DeviceState(false, 0, 0, 0, NO_TIMER, 0, 0, 0, 0, DeviceDescription.NONE);

  Presence presence(String device) {
    return new Presence(
        device,
        isOnline ? Presence.State.ONLINE : Presence.State.OFFLINE,
        sinceMillis,
        seenMillis,
        description);
  }

  DeviceState withTimer(long millis) {
    return withTimes(isOnline, sinceMillis, seenMillis, storedSeenMillis, millis);
  }

  DeviceState offlineSince(long millis) {
    return withTimes(false, millis, seenMillis, seenMillis, NO_TIMER);
  }

  DeviceState onlineSince(long millis) {
    return withTimes(true, millis, millis, millis, timerMillis);
  }

  DeviceState seen(long millis) {
    return withTimes(isOnline, sinceMillis, millis, storedSeenMillis, timerMillis);
  }

  DeviceState stored() {
    return withTimes(isOnline, sinceMillis, seenMillis, seenMillis, timerMillis);
  }

  private DeviceState withTimes(
      boolean online, long since, long seen, long storedSeen, long timer) {
    return new DeviceState(
        online,
        since,
        seen,
        storedSeen,
        timer,
        intervalSeconds,
        partition,
        epochDay,
        bytes,
        description);
  }

  DeviceState saying(int newIntervalSeconds, int newPartition, DeviceDescription newDescription) {
    return new DeviceState(
        isOnline,
        sinceMillis,
        seenMillis,
        storedSeenMillis,
        timerMillis,
        newIntervalSeconds,
        newPartition,
        epochDay,
        bytes,
        newDescription);
  }

  DeviceState using(int day, long bytesOfDay) {
    return new DeviceState(
        isOnline,
        sinceMillis,
        seenMillis,
        storedSeenMillis,
        timerMillis,
        intervalSeconds,
        partition,
        day,
        bytesOfDay,
        description);
  }
}
