package io.lastfix.cluster.flink;

import io.lastfix.kit.poll.Poll;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Ends a job with a savepoint, which holds the records that wait for their cell, and the offsets up
 * to which all is stored.
 *
 * @param flink the job's cluster
 * @param silenceLimit how long the cluster may fail to report the progress
 */
public record StopWithSavepoint(FlinkRest flink, Duration silenceLimit) {
  private static final Duration POLL = Duration.ofMillis(200);

  /** From Flink's StopWithSavepointStoppingException, of which REST returns only the trace. */
  private static final Pattern FAILED_AFTER_SAVEPOINT =
      Pattern.compile("A savepoint has been created at: (.+), but the corresponding job");

  /** For jobs of that cluster; tolerates 20 s without an answer. */
  public StopWithSavepoint(FlinkRest flink) {
    this(flink, Duration.ofSeconds(20));
  }

  /**
   * Ends the job, and waits until it has ended. If a task fails once the savepoint is taken, Flink
   * fails the job permanently, and the stop has succeeded: the savepoint is consistent, and the
   * sinks leave no transaction open. Flink's own sources cause such failures (FLINK-33522).
   *
   * @param directory the savepoint's target, or null for the cluster's configured directory
   * @param limit the longest wait
   * @return the savepoint's path
   * @throws StopGivenUpException if the limit passed, or the cluster did not answer. The stop was
   *     requested, is not revoked, and may yet end the job.
   * @throws IOException if Flink refused, or could take no savepoint: this stop will not end the
   *     job
   */
  public String stop(String jobId, @Nullable String directory, Duration limit)
      throws IOException, InterruptedException {
    Wait wait = new Wait(limit);
    String request = request(jobId, directory);
    Optional<String> path = Optional.empty();
    while (path.isEmpty()) {
      Optional<FlinkRest.Savepoint> savepoint = wait.send(() -> flink.savepoint(jobId, request));
      Optional<String> failure = savepoint.flatMap(FlinkRest.Savepoint::failure);
      path =
          failure
              .flatMap(StopWithSavepoint::savepointIn)
              .or(() -> savepoint.flatMap(FlinkRest.Savepoint::path));
      if (failure.isPresent() && path.isEmpty()) {
        throw new IOException("no savepoint could be taken: " + FailureCause.of(failure.get()));
      }
      if (path.isEmpty()) {
        wait.pause();
      }
    }
    wait.savepoint = path.get();
    while (!wait.send(() -> flink.job(jobId).isOver()).orElse(false)) {
      wait.pause();
    }
    return path.get();
  }

  /** The savepoint in the failure of a job that failed once it was taken, as Flink reports it. */
  public static Optional<String> savepointIn(String failure) {
    return FAILED_AFTER_SAVEPOINT.matcher(failure).results().map(it -> it.group(1)).findFirst();
  }

  private String request(String jobId, @Nullable String directory) throws IOException {
    try {
      return flink.stopWithSavepoint(jobId, directory);
    } catch (IOException e) {
      if (e instanceof FlinkAnswerException answer && answer.isRefusal()) {
        throw e;
      }
      throw new StopGivenUpException(
          "the stop was requested, and may still end the job: " + e.getMessage(), null, e);
    }
  }

  /** One wait, with its limits. */
  private final class Wait {
    private final Duration limit;
    private final Poll whole;
    private final Poll silence = new Poll(POLL, silenceLimit);
    private @Nullable IOException trouble;
    private @Nullable String savepoint;

    Wait(Duration limit) {
      this.limit = limit;
      this.whole = new Poll(POLL, limit);
    }

    /** The answer; empty if the cluster temporarily fails to answer. */
    <T> Optional<T> send(Poll.Reading<T, IOException> request)
        throws IOException, InterruptedException {
      try {
        T answer = request.read();
        silence.restart();
        trouble = null;
        return Optional.of(answer);
      } catch (IOException e) {
        trouble = e;
        if (silence.isOver()) {
          throw givenUp(
              "no answer for %d s: %s".formatted(silenceLimit.toSeconds(), e.getMessage()));
        }
        return Optional.empty();
      }
    }

    void pause() throws IOException, InterruptedException {
      whole.pause(() -> givenUp("not after %d s".formatted(limit.toSeconds())));
    }

    private StopGivenUpException givenUp(String why) {
      return new StopGivenUpException(
          savepoint == null
              ? "no savepoint (%s); Flink may still take it, and end the job".formatted(why)
              : "the savepoint is taken (%s), but Flink did not report the end of the job (%s); it may still end"
                  .formatted(savepoint, why),
          savepoint,
          trouble);
    }
  }
}
