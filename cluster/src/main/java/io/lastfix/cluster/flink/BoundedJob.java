package io.lastfix.cluster.flink;

import io.lastfix.kit.poll.Poll;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A submitted job that ends by itself, and the wait for its end.
 *
 * @param flink its cluster
 * @param id 32 hexadecimal digits
 * @param silenceLimit how long Flink may leave a request without an answer
 */
public record BoundedJob(FlinkRest flink, String id, Duration silenceLimit) {
  private static final Duration POLL = Duration.ofMillis(250);

  /** Longer than the restart of a JobManager takes. */
  private static final Duration SILENCE_LIMIT = Duration.ofMinutes(2);

  /** Refers to the job with that id; Flink may be silent for two minutes. */
  public BoundedJob(FlinkRest flink, String id) {
    this(flink, id, SILENCE_LIMIT);
  }

  /**
   * Waits until the job has finished, without a limit once it has begun. If Flink does not answer
   * for a while, the wait continues, because the job may still run.
   *
   * @param slotLimit how long the job may wait for its first slot; then it is cancelled
   * @param progress receives the job's accumulators at every poll
   * @return the job's accumulators
   * @throws IOException if it gets no slot, fails, or is cancelled, or if Flink does not answer for
   *     two minutes; the message names the job
   */
  public Map<String, String> await(Duration slotLimit, Consumer<Map<String, String>> progress)
      throws IOException, InterruptedException {
    Poll slot = new Poll(POLL, slotLimit);
    boolean hasBegun = false;
    FlinkRest.JobProgress job = send(() -> flink.progress(id));
    while (!job.isOver()) {
      hasBegun |= job.hasBegun();
      if (!hasBegun && slot.isOver()) {
        flink.cancel(id);
        throw new IOException(noSlot(slotLimit));
      }
      progress.accept(send(() -> flink.accumulators(id)));
      slot.pause();
      job = send(() -> flink.progress(id));
    }
    if (!job.state().equals("FINISHED")) {
      String cause = send(() -> flink.causeOf(id)).orElse("Flink reports no cause");
      throw new IOException(
          "job %s is %s: %s (%s)".formatted(id, job.state(), cause, flink.pageOf(id)));
    }
    return send(() -> flink.accumulators(id));
  }

  /** Repeats a request until Flink answers, or the limit for silence has passed. */
  private <T> T send(Poll.Reading<T, IOException> request)
      throws IOException, InterruptedException {
    Poll silence = new Poll(POLL, silenceLimit);
    while (true) {
      try {
        return request.read();
      } catch (IOException e) {
        silence.pause(
            () ->
                new IOException(
                    "Flink returned no state of job %s for %d s (%s): the job may still run, see %s"
                        .formatted(id, silenceLimit.toSeconds(), e.getMessage(), flink.pageOf(id)),
                    e));
      }
    }
  }

  private String noSlot(Duration slotLimit) throws IOException {
    FlinkRest.Slots slots = flink.slots();
    return "the cluster had no slot for job %s within %d s (%d of %d are free): it is cancelled. Add a TaskManager, or a slot, and try again"
        .formatted(id, slotLimit.toSeconds(), slots.available(), slots.total());
  }
}
