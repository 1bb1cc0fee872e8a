package io.lastfix.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Locale;
import java.util.SplittableRandom;

/** Bodies of the devices' requests. */
final class Bodies {
  private Bodies() {}

  /**
   * An array of location records of one device, one each second up to an instant, as many as fit;
   * filled up with spaces.
   *
   * @param bytes at least one record's, about 115
   */
  static byte[] records(String device, int bytes, long newestMillis, SplittableRandom random) {
    StringBuilder body = new StringBuilder(bytes).append('[');
    for (int i = 0; ; i++) {
      String record =
          String.format(
              Locale.ROOT,
              "%s{\"user\":\"%s\",\"position\":{\"lon\":%.6f,\"lat\":%.6f},\"ts\":%d}",
              i == 0 ? "" : ",",
              device,
              random.nextDouble(-122.5, -122.3),
              random.nextDouble(37.7, 37.8),
              newestMillis - i * 1_000L);
      if (body.length() + record.length() + 1 > bytes) {
        break;
      }
      body.append(record);
    }
    body.append(']');
    return (body + " ".repeat(bytes - body.length())).getBytes(US_ASCII);
  }

  /** A registration with the one manifest of all devices, which has about 1 kB. */
  static byte[] registration(String uuid) {
    StringBuilder components = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      components
          .append(i == 0 ? "" : ",")
          .append("{\"name\":\"processor-%02d\",\"version\":\"1.%d.0\"}".formatted(i, i));
    }
    return "{\"uuid\":\"%s\",\"class\":\"bench\",\"manifest\":{\"agentType\":\"bench\",\"components\":[%s]}}"
        .formatted(uuid, components)
        .getBytes(US_ASCII);
  }

  static byte[] heartbeat(long number, int intervalSeconds) {
    return "{\"seq\":%d,\"interval\":%d,\"class\":\"bench\",\"sdk\":\"bench/1.0.0\"}"
        .formatted(number, intervalSeconds)
        .getBytes(US_ASCII);
  }
}
