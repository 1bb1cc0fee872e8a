package io.lastfix.operate.rules;

import io.lastfix.kit.poll.Poll;
import io.lastfix.operate.rules.RuleStore.Change;
import io.lastfix.rules.follow.Applied;
import io.lastfix.rules.follow.AppliedReadings;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How far the rules job applies what is stored.
 *
 * @param job Flink's id of the job; null if none runs, or if it was not waited for
 * @param subtasks how many the job has
 * @param missing the indexes of those that do not apply it yet
 */
public record Propagation(@Nullable String job, int subtasks, List<Integer> missing) {
  /** Without a job. */
  public static final Propagation NONE = new Propagation(null, 0, List.of());

  /**
   * A job whose newest acknowledgement is older does not run: each subtask repeats its own every 10
   * s. One that is so far ahead is of no clock here.
   */
  static final Duration SILENCE = Duration.ofSeconds(30);

  private static final Duration PAUSE = Duration.ofMillis(100);

  private static final int MOST_NAMED = 20;

  /**
   * A change and its propagation, as they are printed.
   *
   * @param version as of {@link Change}
   * @param written as of {@link Change}
   * @param job as of {@link Propagation}
   * @param missing as of {@link Propagation}
   */
  public record Result(
      String id,
      long version,
      boolean written,
      @Nullable String job,
      int subtasks,
      List<Integer> missing) {}

  /** Returns this together with the change. */
  public Result of(Change change) {
    return new Result(change.id(), change.version(), change.written(), job, subtasks, missing);
  }

  /** Returns how a sentence about the change ends. */
  public String words() {
    if (job == null) {
      return "; no job 'rules' runs";
    }
    return missing.isEmpty()
        ? "; the job 'rules' applies it"
        : "; the job 'rules' applies it in %d of %d subtasks"
            .formatted(subtasks - missing.size(), subtasks);
  }

  /** Returns which subtasks do not apply the change, and what to do. */
  public String warning() {
    String named =
        missing.stream().limit(MOST_NAMED).map(String::valueOf).collect(Collectors.joining(", "));
    String further =
        missing.size() > MOST_NAMED ? " and %d more".formatted(missing.size() - MOST_NAMED) : "";
    return "These subtasks of the job %s do not apply it yet: %s%s. It is stored, so they apply it once they can: lastfix status shows the job"
        .formatted(job, named, further);
  }

  /**
   * Waits until all subtasks of the newest job have read up to an offset, or no job runs.
   *
   * @param readings those of {@link #SILENCE}, and newer ones
   * @throws IOException if they cannot be read
   */
  static Propagation await(
      AppliedReadings readings, long offset, Duration limit, InstantSource clock)
      throws IOException {
    Map<String, Applied> newest = new HashMap<>();
    try {
      return Poll.until(
          PAUSE,
          limit,
          () -> {
            readings.read().forEach(applied -> newest.merge(applied.key(), applied, Applied::or));
            return of(newest, offset, clock);
          },
          propagation -> propagation.missing().isEmpty());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for the job 'rules'", e);
    }
  }

  private static Propagation of(Map<String, Applied> newest, long offset, InstantSource clock) {
    Instant now = clock.instant();
    Applied last =
        newest.values().stream()
            .filter(applied -> Duration.between(applied.at(), now).abs().compareTo(SILENCE) <= 0)
            .max(Comparator.comparing(Applied::at))
            .orElse(null);
    if (last == null) {
      return NONE;
    }
    List<Integer> missing =
        IntStream.range(0, last.of())
            .filter(subtask -> !applies(newest.get(Applied.key(last.job(), subtask)), last, offset))
            .boxed()
            .toList();
    return new Propagation(last.job(), last.of(), missing);
  }

  /** Of a job that was rescaled, the former subtasks do not count. */
  private static boolean applies(@Nullable Applied applied, Applied last, long offset) {
    return applied != null && applied.of() == last.of() && applied.offset() >= offset;
  }
}
