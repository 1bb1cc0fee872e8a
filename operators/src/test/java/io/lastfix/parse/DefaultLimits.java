package io.lastfix.parse;

import java.time.Duration;
import java.time.Instant;

/** The limits that the configuration has by default. */
public final class DefaultLimits {
  public static final DecoderLimits DECODER =
      new DecoderLimits(1 << 20, 16 << 20, 10_000, 64, 256, 100);

  public static final TimestampLimits TIMESTAMP =
      new TimestampLimits(Duration.ofMinutes(5), Instant.parse("2000-01-01T00:00:00Z"));

  private DefaultLimits() {}
}
