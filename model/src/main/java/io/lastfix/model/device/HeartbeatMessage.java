package io.lastfix.model.device;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A message of the topic {@code lastfix.heartbeats}. The message's key is the device, its time the
 * broker's append time; a tick has no key.
 *
 * @see HeartbeatCodec
 */
public sealed interface HeartbeatMessage {
  /**
   * The longest id of a device that gateways take, in UTF-16 units: as long as a user of a record
   * may be (the job's parse.max-text-length).
   */
  int MAX_DEVICE = 256;

  /** The longest class, SDK or status, in UTF-16 units. */
  int MAX_TEXT = 256;

  /** The longest interval between two heartbeats: a day. */
  int MAX_INTERVAL_SECONDS = 86_400;

  /** Number of bytes of a manifest's hash (SHA-256). */
  int MANIFEST_BYTES = 32;

  /**
   * Says that a gateway runs and reaches the partition. Each gateway writes one into each partition
   * every few seconds, so silence of all devices and an outage of ours can be told apart.
   *
   * @param gateway name of its process
   */
  record Tick(String gateway) implements HeartbeatMessage {
    /** Checks the name. */
    public Tick {
      requireText("gateway", gateway);
    }
  }

  /**
   * Says that a device's connection has ended, or that it means to be away. A hint for readers of
   * the topic; presence does not follow it, because it may arrive late, and after the device has
   * returned.
   */
  record Bye() implements HeartbeatMessage {}

  /** A sign of life of a device. */
  sealed interface Sign extends HeartbeatMessage {
    /** Accepted bytes of the request's body as on the wire, 0 or more; they count for the quota. */
    int acceptedBytes();

    /** The client and its version, such as {@code example-sdk/1.2.0}; null if it did not say. */
    @Nullable String sdk();
  }

  /**
   * The gateway has accepted a message with records from the device; or, with 0 bytes, it has
   * refused one until the devices job publishes the device's usage, which it does then.
   */
  record RecordSign(int acceptedBytes, @Nullable String sdk) implements Sign {
    /** Checks the ranges. */
    public RecordSign {
      requireBytes(acceptedBytes);
      requireText("sdk", sdk);
    }
  }

  /**
   * The device has sent a heartbeat.
   *
   * @param sequence the device's own number of the heartbeat, 0 or more
   * @param intervalSeconds time until its next one, 1 to {@link #MAX_INTERVAL_SECONDS}
   * @param deviceClass the kind of device, such as {@code phone}; null if it did not say
   * @param manifest SHA-256 of its manifest as 64 hexadecimal digits in lower case; null if it did
   *     not say
   * @param status free text; null if it did not say
   */
  record Heartbeat(
      int acceptedBytes,
      long sequence,
      int intervalSeconds,
      @Nullable String deviceClass,
      @Nullable String sdk,
      @Nullable String manifest,
      @Nullable String status)
      implements Sign {
    /** Checks the ranges. */
    public Heartbeat {
      requireBytes(acceptedBytes);
      require(sequence >= 0, () -> "seq: expected 0 or more");
      require(
          intervalSeconds >= 1 && intervalSeconds <= MAX_INTERVAL_SECONDS,
          () -> "interval: expected 1 to %d seconds".formatted(MAX_INTERVAL_SECONDS));
      requireText("class", deviceClass);
      requireText("sdk", sdk);
      requireText("status", status);
      require(
          manifest == null || isHash(manifest),
          () ->
              "manifest: expected the SHA-256 of a manifest, %d hexadecimal digits in lower case"
                  .formatted(2 * MANIFEST_BYTES));
    }
  }

  private static boolean isHash(String text) {
    return text.length() == 2 * MANIFEST_BYTES
        && text.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
  }

  private static void requireBytes(int acceptedBytes) {
    require(acceptedBytes >= 0, () -> "acceptedBytes: expected 0 or more");
  }

  private static void requireText(String name, @Nullable String text) {
    require(
        text == null || (!text.isEmpty() && text.length() <= MAX_TEXT),
        () -> "%s: expected 1 to %d characters".formatted(name, MAX_TEXT));
  }

  /** To format a text takes longer than to read a message, so it is made for a bad one only. */
  private static void require(boolean condition, Supplier<String> message) {
    if (!condition) {
      throw new IllegalArgumentException(message.get());
    }
  }
}
