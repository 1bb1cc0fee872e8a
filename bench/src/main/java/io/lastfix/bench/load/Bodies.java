package io.lastfix.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

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
      int before = body.length();
      body.append(i == 0 ? "" : ",").append("{\"user\":\"").append(device);
      // Six digits each: String.format would take longer than the signature.
      body.append("\",\"position\":{\"lon\":-122.").append(random.nextInt(300_000, 500_000));
      body.append(",\"lat\":37.").append(random.nextInt(700_000, 800_000));
      body.append("},\"ts\":").append(newestMillis - i * 1_000L).append('}');
      if (body.length() + 1 > bytes) {
        body.setLength(before);
        break;
      }
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
