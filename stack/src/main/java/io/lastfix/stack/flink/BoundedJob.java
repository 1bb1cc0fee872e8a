package io.lastfix.stack.flink;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** A submitted job that ends by itself, and the wait for its end. */
public final class BoundedJob {
  private static final Duration POLL = Duration.ofMillis(250);

  /** Longer than a JobManager takes that is started again. */
  private static final Duration SILENCE_LIMIT = Duration.ofMinutes(2);

  private final FlinkRest flink;
  private final String id;
  private final Duration silenceLimit;

  /** The job of that id. */
  public BoundedJob(FlinkRest flink, String id) {
    this(flink, id, SILENCE_LIMIT);
  }

  /**
   * The same with a limit of one's own.
   *
   * @param silenceLimit how long Flink may leave one question without an answer
   */
  BoundedJob(FlinkRest flink, String id, Duration silenceLimit) {
    this.flink = flink;
    this.id = id;
    this.silenceLimit = silenceLimit;
  }

  private interface Question<T> {
    T ask() throws IOException;
  }

  /** Told, every poll, what the job has counted. */
  public interface Progress {
    /** Shows the accumulators so far. */
    void show(Map<String, String> accumulators);
  }

  /**
   * Waits until the job has finished, however long that takes once it has begun. That Flink does
   * not answer for a while ends no wait: the job may go on.
   *
   * @param slotLimit how long it may wait for its first slot; then it is cancelled
   * @return the job's accumulators
   * @throws IOException if it gets no slot, or fails, or is cancelled, or Flink does not answer for
   *     two minutes; it names the job
   */
  public Map<String, String> await(Duration slotLimit, Progress progress)
      throws IOException, InterruptedException {
    Instant deadline = Instant.now().plus(slotLimit);
    boolean hasBegun = false;
    FlinkRest.JobProgress job = ask(() -> flink.progress(id));
    while (!job.isOver()) {
      hasBegun |= job.hasBegun();
      if (!hasBegun && Instant.now().isAfter(deadline)) {
        flink.cancel(id);
        throw new IOException(noSlot(slotLimit));
      }
      progress.show(ask(() -> flink.accumulators(id)));
      Thread.sleep(POLL.toMillis());
      job = ask(() -> flink.progress(id));
    }
    if (!job.state().equals("FINISHED")) {
      String cause = ask(() -> flink.causeOf(id)).orElse("Flink says no cause");
      throw new IOException(
          "job %s is %s: %s (%s)".formatted(id, job.state(), cause, flink.pageOf(id)));
    }
    return ask(() -> flink.accumulators(id));
  }

  /** Repeats a question until it is answered, or has not been for too long. */
  private <T> T ask(Question<T> question) throws IOException, InterruptedException {
    Instant deadline = Instant.now().plus(silenceLimit);
    while (true) {
      try {
        return question.ask();
      } catch (IOException e) {
        if (Instant.now().isAfter(deadline)) {
          throw new IOException(
              "nothing is heard of job %s for %d s (%s): it may go on, see %s"
                  .formatted(id, silenceLimit.toSeconds(), e.getMessage(), flink.pageOf(id)),
              e);
        }
      }
      Thread.sleep(POLL.toMillis());
    }
  }

  private String noSlot(Duration slotLimit) throws IOException {
    FlinkRest.Slots slots = flink.slots();
    return "the cluster had no slot for job %s within %d s (%d of %d are free): it is cancelled. Add a TaskManager, or a slot, and try again"
        .formatted(id, slotLimit.toSeconds(), slots.available(), slots.total());
  }
}
