package io.lastfix.model.device;

import java.time.LocalDate;

/**
 * The bytes that gateways accepted from a device on one day, as the devices job publishes them to
 * {@code lastfix.devices}.
 *
 * @param device its id
 * @param day in UTC
 * @param bytes of all gateways together
 * @param partition of {@code lastfix.heartbeats}
 * @param offset all signs of life of the device up to this offset of the partition are counted
 */
public record DeviceUsage(String device, LocalDate day, long bytes, int partition, long offset) {
  /** Comes before the device in the message's key. */
  public static final String KEY_PREFIX = "usage/";

  /** Nothing is kept of the device: the message has no value. */
  public static DeviceUsage forgotten(String device) {
    return new DeviceUsage(device, LocalDate.EPOCH, 0, 0, 0);
  }

  /** Whether it is that of {@link #forgotten}. */
  public boolean isForgotten() {
    return day.equals(LocalDate.EPOCH);
  }

  /** The message's key. */
  public String key() {
    return KEY_PREFIX + device;
  }

  /** The message's value. Only numbers and a date, so nothing has to be escaped. */
  public String json() {
    return "{\"v\":1,\"day\":\"%s\",\"bytes\":%d,\"partition\":%d,\"offset\":%d}"
        .formatted(day, bytes, partition, offset);
  }
}
