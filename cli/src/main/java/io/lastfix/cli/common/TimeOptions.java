package io.lastfix.cli.common;

import io.lastfix.store.query.TimeRange;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options {@code --from} and {@code --to}; a mixin. The command says what they select. */
public final class TimeOptions extends CheckedOptions {
  @Option(
      names = "--from",
      paramLabel = "TIME",
      description =
          "At this time or later: 2026-11-20T12:00:00Z, 2026-11-20T12:00+01:00, 2026-11-20, or"
              + " -2h, -30m, -7d.")
  private @Nullable Instant from;

  @Option(names = "--to", paramLabel = "TIME", description = "Before this time; also: now.")
  private @Nullable Instant to;

  /** The begin; null: not given. */
  public @Nullable Instant from() {
    return from;
  }

  /** The end, which is not in the range; null: not given. */
  public @Nullable Instant to() {
    return to;
  }

  /** Returns whether one of both is given. */
  public boolean isGiven() {
    return from != null || to != null;
  }

  /**
   * Checks that the begin is before the end.
   *
   * @throws ParameterException if it is not
   */
  public void check() {
    if (from != null && to != null && !from.isBefore(to)) {
      throw usageError("--from and --to: expected --to to be later than --from");
    }
  }

  /** The range, which has no begin or end if that is not given. */
  public TimeRange range() {
    return new TimeRange(
        from == null ? TimeRange.ALL.from() : from, to == null ? TimeRange.ALL.to() : to);
  }
}
