package io.lastfix.cli.bench;

import io.lastfix.cli.bench.Bench.RunningJob;
import io.lastfix.cli.push.GeneratorOptions;
import io.lastfix.cli.push.LocationGenerator;
import io.lastfix.cli.push.OutgoingMessage;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** A job that stores what comes in while it is measured. */
final class LiveJob implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final long POLL_MILLIS = 100;
  private static final long ENDLESS = 100_000_000;

  /** A share of what is offered that counts as all of it: bulks are on their way. */
  private static final double KEEPS_UP = 0.97;

  private static final double NEXT_SHARE = 0.9;
  private static final int SETTLING_SECONDS = 4;
  private static final int SUSTAINED_SECONDS = 8;

  private final Bench bench;
  private final RunningJob job;
  private final String topic;
  private final AtomicLong sent = new AtomicLong();

  /** Each feed's records are newer than all before, so that each of them changes a document. */
  private Instant nextStart;

  /** Starts the job on what is stored already. */
  LiveJob(Bench bench) throws Exception {
    this.bench = bench;
    // A topic of its own, read from its beginning: "the end" of one that others have written to is
    // not the same moment in every subtask.
    String prefix = bench.nextLivePrefix();
    topic = prefix + bench.workload().format().profile();
    bench.topics().fillCells(Bench.CELLS_TOPIC, bench.cells());
    bench.topics().create(topic);
    nextStart = bench.liveStart();
    job =
        bench.submit(
            Map.of(
                "kafka.location-topic-prefix",
                prefix,
                "profiles.names",
                bench.workload().format().profile()));
    try {
      awaitRunning();
    } catch (Exception e) {
      try {
        job.close();
      } catch (IOException alsoThis) {
        e.addSuppressed(alsoThis);
      }
      throw e;
    }
  }

  RunningJob job() {
    return job;
  }

  String topic() {
    return topic;
  }

  private void awaitRunning() throws Exception {
    Instant deadline = Instant.now().plus(PATIENCE);
    while (!bench.flink().areAllTasksRunning(job.id())) {
      job.requireAlive();
      requireBefore(deadline, "the job's tasks do not all run");
      Thread.sleep(POLL_MILLIS);
    }
    // The catalogue first: until it is loaded, no record is read.
    try (LiveFeed feed = feed(1)) {
      long before = stored();
      while (stored() == before) {
        job.requireAlive();
        requireBefore(deadline, "nothing of %d records is stored".formatted(feed.sent()));
        Thread.sleep(POLL_MILLIS);
      }
    }
    awaitAllStored();
  }

  private static void requireBefore(Instant deadline, String what) throws IOException {
    if (Instant.now().isAfter(deadline)) {
      throw new IOException("%s after %d s".formatted(what, PATIENCE.toSeconds()));
    }
  }

  /**
   * Begins to send records of now.
   *
   * @param rate records a second
   */
  LiveFeed feed(double rate) {
    return new LiveFeed(
        bench.topics(),
        topic,
        endless(),
        rate,
        sent,
        lastMillis -> nextStart = lastMillis.plusMillis(1));
  }

  /** More than any measurement sends. */
  private Iterator<OutgoingMessage> endless() {
    Workload workload = bench.workload();
    return new LocationGenerator(
        GeneratorOptions.builder()
            .format(workload.format())
            .users(workload.users())
            .count(ENDLESS)
            .start(nextStart)
            .build(InstantSource.system()),
        bench.cells());
  }

  /** Waits until everything that was sent is stored. */
  void awaitAllStored() throws Exception {
    long last = -1;
    Instant deadline = Instant.now().plus(PATIENCE);
    for (long now = stored(); now != last || now < 0; now = stored()) {
      if (now != last) {
        deadline = Instant.now().plus(PATIENCE);
      }
      last = now;
      job.requireAlive();
      requireBefore(deadline, "nothing more is stored");
      Thread.sleep(2_000);
    }
  }

  /** Records that all feeds have handed to Kafka's client so far. */
  long sent() {
    return sent.get();
  }

  /** Documents in History. */
  long stored() {
    return bench.store().historyCount();
  }

  /** The most that can be offered for long, by a sender on this machine, and is stored as fast. */
  double findMost(double atMost) throws Exception {
    double rate = atMost;
    while (true) {
      double stored;
      double sent;
      try (LiveFeed feed = feed(rate)) {
        Thread.sleep(Duration.ofSeconds(SETTLING_SECONDS).toMillis());
        long nanos = System.nanoTime();
        long storedBefore = stored();
        long sentBefore = feed.sent();
        Thread.sleep(Duration.ofSeconds(SUSTAINED_SECONDS).toMillis());
        double seconds = (System.nanoTime() - nanos) / 1e9;
        stored = (stored() - storedBefore) / seconds;
        sent = (feed.sent() - sentBefore) / seconds;
      }
      bench.say("Offered %,.0f records/s, sent %,.0f, stored %,.0f".formatted(rate, sent, stored));
      awaitAllStored();
      if (stored >= KEEPS_UP * rate) {
        return rate;
      }
      rate = Math.min(NEXT_SHARE * rate, Math.max(stored, rate / 2));
    }
  }

  @Override
  public void close() throws IOException {
    job.close();
  }
}
