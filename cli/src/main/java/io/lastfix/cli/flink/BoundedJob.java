package io.lastfix.cli.flink;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** A submitted job that ends by itself, and the wait for its end. */
public final class BoundedJob {
  private static final Duration POLL = Duration.ofMillis(250);

  private final FlinkRest flink;
  private final String id;

  /** The job of that id. */
  public BoundedJob(FlinkRest flink, String id) {
    this.flink = flink;
    this.id = id;
  }

  /** Told, every poll, what the job has counted. */
  public interface Progress {
    /** Shows the accumulators so far. */
    void show(Map<String, String> accumulators);
  }

  /**
   * Waits until the job has finished, however long that takes once it has begun.
   *
   * @param slotLimit how long it may wait for its first slot; then it is cancelled
   * @return the job's accumulators
   * @throws IOException if it gets no slot, or fails, or is cancelled
   */
  public Map<String, String> await(Duration slotLimit, Progress progress)
      throws IOException, InterruptedException {
    Instant deadline = Instant.now().plus(slotLimit);
    boolean hasBegun = false;
    FlinkRest.JobProgress job = flink.progress(id);
    while (!job.isOver()) {
      hasBegun |= job.hasBegun();
      if (!hasBegun && Instant.now().isAfter(deadline)) {
        flink.cancel(id);
        throw new IOException(noSlot(slotLimit));
      }
      progress.show(flink.accumulators(id));
      Thread.sleep(POLL.toMillis());
      job = flink.progress(id);
    }
    if (!job.state().equals("FINISHED")) {
      throw new IOException(
          "the job is %s: %s"
              .formatted(job.state(), flink.causeOf(id).orElse("see " + flink.pageOf(id))));
    }
    return flink.accumulators(id);
  }

  private String noSlot(Duration slotLimit) throws IOException {
    FlinkRest.Slots slots = flink.slots();
    return "the cluster had no slot for the job within %d s (%d of %d are free): it is cancelled. Add a TaskManager, or a slot, and try again"
        .formatted(slotLimit.toSeconds(), slots.available(), slots.total());
  }
}
