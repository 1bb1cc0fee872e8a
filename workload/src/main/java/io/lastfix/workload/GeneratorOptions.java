package io.lastfix.workload;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options of a {@link LocationGenerator}. The same options give the same bytes.
 *
 * @param count records to send, good, late, repeated and malformed ones together; 1 or more
 * @param users the number of reporting devices; 1 or more
 * @param format of the messages
 * @param seed of all random numbers
 * @param skew Zipf's exponent of the devices' activity; 0: uniformly distributed; at most 10
 * @param late share of the records that come up to {@link LocationGenerator#MAX_DELAY} after newer
 *     ones, 0 to 1
 * @param malformed share of the messages that a parser must reject, 0 to 1
 * @param duplicates share of the messages that were sent before, 0 to 1; together with {@code
 *     malformed} at most 1
 * @param fixes share of the records that state a position of their own, 0 to 1; every other one of
 *     them also names its cell. More than 0 only for a format that has positions
 * @param batch records in a message; 1 or more
 * @param startMillis the first record's time, milliseconds since 1970-01-01T00:00:00Z, from the
 *     year 2000 on
 */
public record GeneratorOptions(
    long count,
    int users,
    MessageFormat format,
    long seed,
    double skew,
    double late,
    double malformed,
    double duplicates,
    double fixes,
    int batch,
    long startMillis) {

  private static final long MAX_GAP_MILLIS = Duration.ofMinutes(1).toMillis();
  private static final long MAX_SPAN_MILLIS = Duration.ofDays(30).toMillis();
  private static final long EARLIEST_START_MILLIS =
      Instant.parse("2000-01-01T00:00:00Z").toEpochMilli();

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException naming the option, what was expected and what was found
   */
  public GeneratorOptions {
    requireInRange("count", count, 1, Long.MAX_VALUE);
    requireInRange("users", users, 1, Integer.MAX_VALUE);
    requireInRange("skew", skew, 0, 10);
    requireInRange("late", late, 0, 1);
    requireInRange("malformed", malformed, 0, 1);
    requireInRange("duplicates", duplicates, 0, 1);
    requireInRange("malformed and duplicates together", malformed + duplicates, 0, 1);
    requireInRange("fixes", fixes, 0, 1);
    if (fixes > 0 && !format.hasPositions()) {
      throw new IllegalArgumentException(
          "fixes: expected the format json or ndjson, since %s has cells only"
              .formatted(format.name().toLowerCase(Locale.ROOT)));
    }
    requireInRange("batch", batch, 1, 100_000);
    if (startMillis < EARLIEST_START_MILLIS) {
      throw new IllegalArgumentException(
          "start: expected a time from the year 2000 on, found %s; without a start, request fewer records"
              .formatted(Instant.ofEpochMilli(startMillis)));
    }
    startMillis = roundedDown(startMillis, format);
  }

  private static void requireInRange(String option, double value, double min, double max) {
    if (!(value >= min && value <= max)) {
      throw new IllegalArgumentException(
          "%s: expected %s to %s, found %s".formatted(option, min, max, value));
    }
  }

  private static void requireInRange(String option, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "%s: expected %d to %d, found %d".formatted(option, min, max, value));
    }
  }

  private static long roundedDown(long timestampMillis, MessageFormat format) {
    long step = format.clockStepMillis();
    return Math.floorDiv(timestampMillis, step) * step;
  }

  /**
   * Milliseconds between records, by their own time. A device reports about once a minute, but all
   * records span at most 30 days, if the format's clock is fine enough for that.
   */
  public long intervalMillis() {
    return intervalMillis(count, users, format);
  }

  /** Computes {@link #intervalMillis()} for options that are not built yet. */
  public static long intervalMillis(long count, int users, MessageFormat format) {
    long step = format.clockStepMillis();
    long usual = Math.min(MAX_GAP_MILLIS / users, MAX_SPAN_MILLIS / count);
    return Math.max(step, usual / step * step);
  }

  /** The defaults: a hundred thousand records of a thousand users. */
  public static Builder builder() {
    return new Builder();
  }

  /** Gets the options from a command line; the others have the defaults of their descriptions. */
  public static final class Builder {
    // With "order" they come after the command's own options in its help.

    @Option(
        names = "--count",
        order = 1,
        paramLabel = "N",
        description = "Records to send, all kinds together (default: 100000).")
    long count = 100_000;

    @Option(
        names = "--users",
        order = 2,
        paramLabel = "N",
        description = "Devices that report (default: 1000).")
    int users = 1_000;

    @Option(
        names = "--format",
        order = 3,
        paramLabel = "FORMAT",
        description = "arcanum, mlp, json or ndjson (default: arcanum).")
    MessageFormat format = MessageFormat.ARCANUM;

    @Option(
        names = "--seed",
        order = 4,
        paramLabel = "N",
        description = "The same seed, options and start give the same messages (default: 1).")
    long seed = 1;

    @Option(
        names = "--skew",
        order = 5,
        paramLabel = "EXPONENT",
        description = "Skew of the devices' activity: Zipf's exponent (default: 0, uniform).")
    double skew;

    @Option(
        names = "--late",
        order = 6,
        paramLabel = "SHARE",
        description = "Share of the records that are sent up to five minutes late (default: 0).")
    double late;

    @Option(
        names = "--malformed",
        order = 7,
        paramLabel = "SHARE",
        description = "Share of the messages that must be rejected (default: 0).")
    double malformed;

    @Option(
        names = "--duplicates",
        order = 8,
        paramLabel = "SHARE",
        description = "Share of the messages that repeat an earlier one (default: 0).")
    double duplicates;

    @Option(
        names = "--fixes",
        order = 9,
        paramLabel = "SHARE",
        description =
            "Share of the records that state a position of their own, half of them beside their"
                + " cell; json and ndjson only (default: 0).")
    double fixes;

    @Option(
        names = "--batch",
        order = 10,
        paramLabel = "N",
        description = "Records in a message (default: 1).")
    int batch = 1;

    @Option(
        names = "--start",
        order = 11,
        paramLabel = "TIME",
        description =
            "Time of the first record, in ISO 8601 and UTC (default: chosen so that the last"
                + " record is now).")
    @Nullable Instant start;

    private Builder() {}

    /**
     * The options.
     *
     * @param clock the present time, which is that of the last record if no start was given
     * @throws IllegalArgumentException naming the first option that is out of range
     */
    public GeneratorOptions build(InstantSource clock) {
      requireInRange("count", count, 1, Long.MAX_VALUE);
      requireInRange("users", users, 1, Integer.MAX_VALUE);
      long startMillis =
          start != null
              ? start.toEpochMilli()
              : clock.millis() - Math.multiplyExact(count, intervalMillis(count, users, format));
      return new GeneratorOptions(
          count, users, format, seed, skew, late, malformed, duplicates, fixes, batch, startMillis);
    }
  }
}
