package io.lastfix.bench;

import io.lastfix.bench.Bench.RunningJob;
import io.lastfix.bench.measure.Measurement;
import io.lastfix.bench.measure.ProcessCpu;
import io.lastfix.kit.poll.Poll;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** Starts a job that stores a workload which Kafka already holds, and measures it. */
final class Ingest {
  private static final Duration POLL = Duration.ofMillis(50);

  /** Many times longer than a record waits for its bulk to fill. */
  private static final Duration QUIET = Duration.ofSeconds(2);

  /** The longest wait for the first document, and then for each further one. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** The share of the records that must be stored after the first sample. */
  private static final double MIN_MEASURED_SHARE = 0.5;

  private final Bench bench;

  Ingest(Bench bench) {
    this.bench = bench;
  }

  /** The job's progress at one instant. */
  private record Sample(long nanos, long history, long userWrites, ProcessCpu.Reading cpu) {
    boolean hasMoreThan(Sample other) {
      return history > other.history || userWrites > other.userWrites;
    }
  }

  /**
   * Measures from the first document in History to the last change of either collection, as the
   * database reports them.
   *
   * @throws IOException if the stored documents are not those expected
   */
  Measurement measure(Workload workload) throws Exception {
    return measure(workload, Map.of());
  }

  /**
   * Measures a job with other settings.
   *
   * @param keys override the job's other settings
   */
  Measurement measure(Workload workload, Map<String, String> keys) throws Exception {
    return measure(workload, keys, 1);
  }

  /**
   * Measures a job that has warmed up.
   *
   * @param first documents in History at which the measurement begins
   */
  Measurement measure(Workload workload, Map<String, String> keys, long first) throws Exception {
    bench.fill(workload);
    bench.store().drop();
    Map<String, String> all = Bench.keys(workload);
    all.putAll(keys);
    try (RunningJob job = bench.submit(all)) {
      Sample begin = await(job, first);
      Sample last = begin;
      while (true) {
        Sample now = sample();
        if (now.hasMoreThan(last)) {
          last = now;
        } else if (last.history() >= workload.records()
            && now.nanos() - last.nanos() > QUIET.toNanos()) {
          break;
        } else if (now.nanos() - last.nanos() > PATIENCE.toNanos()) {
          throw new IOException(
              "nothing was stored for %d s; %,d of %,d records are stored"
                  .formatted(PATIENCE.toSeconds(), last.history(), workload.records()));
        }
        job.requireAlive();
        Thread.sleep(POLL.toMillis());
      }
      requireAllStored(workload);
      long records = last.history() - begin.history();
      if (records < MIN_MEASURED_SHARE * workload.records()) {
        throw new IOException(
            "most of %,d records were stored before the measurement began: raise --records"
                .formatted(workload.records()));
      }
      return new Measurement(
          records, (last.nanos() - begin.nanos()) / 1e9, last.cpu().since(begin.cpu()));
    }
  }

  private Sample await(RunningJob job, long documents) throws Exception {
    Poll poll = new Poll(POLL, PATIENCE);
    Sample now = sample();
    while (now.history() < documents) {
      job.requireAlive();
      long stored = now.history();
      poll.pause(
          () ->
              new IOException(
                  "%,d records of %,d were stored within %d s"
                      .formatted(stored, documents, PATIENCE.toSeconds())));
      now = sample();
    }
    return now;
  }

  private Sample sample() {
    long history = bench.store().historyCount();
    long userWrites = bench.store().lastKnownLocationWrites();
    return new Sample(System.nanoTime(), history, userWrites, bench.cpu().read());
  }

  /** Fails if a record was lost or duplicated: such a rate does not count. */
  private void requireAllStored(Workload workload) throws IOException {
    long history = bench.store().historyCount();
    long users = bench.store().userCount();
    long expected = bench.reportingUsers(workload).size();
    if (history != workload.records() || users != expected) {
      throw new IOException(
          "the job has stored %,d records of %,d, and %,d users of %,d"
              .formatted(history, workload.records(), users, expected));
    }
  }
}
