package io.lastfix.cli.flink;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ends a job with a savepoint, which holds the records that wait for their cell and the offsets up
 * to which all is stored.
 */
public final class StopWithSavepoint {
  private static final Duration POLL = Duration.ofMillis(200);

  private final FlinkRest flink;

  /** For jobs of that cluster. */
  public StopWithSavepoint(FlinkRest flink) {
    this.flink = flink;
  }

  /**
   * Ends the job, and waits until it has ended.
   *
   * @param directory where the savepoint goes, or null for what the cluster's configuration says
   * @param limit the longest to wait; a savepoint that takes longer may still come to be, and end
   *     the job
   * @return the savepoint's path
   * @throws IOException if there is no savepoint; then the job goes on, unless it was failing
   */
  public String stop(String jobId, @Nullable String directory, Duration limit)
      throws IOException, InterruptedException {
    Instant deadline = Instant.now().plus(limit);
    String request = flink.stopWithSavepoint(jobId, directory);
    FlinkRest.Savepoint savepoint = flink.savepoint(jobId, request);
    while (savepoint.path().isEmpty()) {
      Optional<String> failure = savepoint.failure();
      if (failure.isPresent()) {
        throw new IOException("no savepoint could be taken: " + rootCause(failure.get()));
      }
      pause(deadline, limit, "no savepoint after %d s; it may still come, and end the job");
      savepoint = flink.savepoint(jobId, request);
    }
    while (!flink.job(jobId).isOver()) {
      pause(deadline, limit, "the savepoint is taken, but the job has not ended after %d s");
    }
    return savepoint.path().get();
  }

  private static void pause(Instant deadline, Duration limit, String message)
      throws IOException, InterruptedException {
    if (Instant.now().isAfter(deadline)) {
      throw new IOException(message.formatted(limit.toSeconds()));
    }
    Thread.sleep(POLL.toMillis());
  }

  /** The last cause of a stack trace, which is the first. */
  private static String rootCause(String stackTrace) {
    return stackTrace
        .lines()
        .filter(line -> line.startsWith("Caused by: "))
        .reduce((before, last) -> last)
        .map(line -> line.substring("Caused by: ".length()))
        .orElseGet(() -> stackTrace.lines().findFirst().orElse("Flink does not say why"));
  }
}
