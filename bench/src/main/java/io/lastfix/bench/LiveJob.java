package io.lastfix.bench;

import io.lastfix.bench.Bench.RunningJob;
import io.lastfix.bench.measure.Measurement;
import io.lastfix.bench.measure.ProcessCpu;
import io.lastfix.bench.messages.DenseRecords;
import io.lastfix.kit.poll.Poll;
import io.lastfix.workload.LocationGenerator;
import io.lastfix.workload.OutgoingMessage;
import io.lastfix.workload.Pacer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.Map;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** A job that stores incoming records while it is measured. */
final class LiveJob implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /** Longer than a write waits for its bulk to fill, plus the bulk itself. */
  private static final Duration QUIET = Duration.ofSeconds(1);

  /** A job that keeps up stores a record within about this time. */
  private static final Duration MAX_BEHIND = Duration.ofSeconds(1);

  /** A multiple of a new job's rate: half a minute suffices to compile its code. */
  private static final Duration WARM_UP = Duration.ofSeconds(30);

  /** A load that needs longer is above the sustainable rate, and the figures show that. */
  private static final Duration CATCHING_UP = Duration.ofSeconds(20);

  private static final Duration POLL = Duration.ofMillis(100);

  /** More records than any measurement sends. */
  private static final long ENDLESS = 100_000_000;

  /** Share of the offered records that counts as all: some bulks are in flight. */
  static final double KEEPS_UP = 0.97;

  /**
   * Factor between a load that is tried and the next lower one; divided by it, the next higher one.
   */
  private static final double NEXT_SHARE = 0.8;

  private static final int SETTLING_SECONDS = 4;
  private static final int SUSTAINED_SECONDS = 8;

  private final Bench bench;
  private final @Nullable LongSupplier timestamps;
  private final RunningJob job;
  private final String topic;
  private final AtomicLong sent = new AtomicLong();
  private final double ingestRate;
  private final long storedBefore;

  /** Starts the job on the default workload only, whatever was measured before, and warms it up. */
  LiveJob(Bench bench) throws Exception {
    this(bench, Map.of(), null);
  }

  /**
   * Starts a job with other settings.
   *
   * @param keys override the job's other settings
   * @param timestamps returns the timestamp of each record just before it is sent; null: they are
   *     close together, and so far back that none lies in the future, however fast they are sent
   */
  LiveJob(Bench bench, Map<String, String> keys, @Nullable LongSupplier timestamps)
      throws Exception {
    this.bench = bench;
    this.timestamps = timestamps;
    Measurement usual = new Ingest(bench).measure(bench.workload());
    bench.say("Stored %,d initial records".formatted(usual.records()));
    ingestRate = bench.ingestRateOrKeep(usual.rate());
    // A new topic, read from its beginning: "the end" of a topic that others write to would be a
    // different offset in every subtask.
    String prefix = bench.nextLivePrefix();
    topic = prefix + bench.workload().format().profile();
    bench.topics().create(topic);
    storedBefore = stored();
    Map<String, String> all = Bench.keys(prefix, bench.workload().format());
    all.putAll(keys);
    job = bench.submit(all);
    try {
      awaitRunning();
      // The job's first records warm up the JIT compiler, whatever is measured afterwards.
      sendAtOnce(Math.round(WARM_UP.toSeconds() * ingestRate));
      awaitAllStored();
    } catch (Exception e) {
      try {
        job.close();
      } catch (IOException closing) {
        e.addSuppressed(closing);
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

  /** Records a second that a newly started job stores. */
  double ingestRate() {
    return ingestRate;
  }

  private void awaitRunning() throws Exception {
    Poll poll = new Poll(POLL, PATIENCE);
    while (!bench.flink().areAllTasksRunning(job.id())) {
      job.requireAlive();
      poll.pause(() -> tooLate("not all of the job's tasks run"));
    }
    // The job reads no record before the catalogue is loaded.
    try (LiveFeed feed = feed(1)) {
      long before = stored();
      while (stored() == before) {
        job.requireAlive();
        poll.pause(() -> tooLate("none of %d records is stored".formatted(feed.sent())));
      }
    }
    awaitAllStored();
  }

  private static IOException tooLate(String what) {
    return new IOException("%s after %d s".formatted(what, PATIENCE.toSeconds()));
  }

  /**
   * Starts sending live records.
   *
   * @param rate records a second; 0: none
   */
  LiveFeed feed(double rate) {
    return rate > 0 ? feed(Pacer.ofRate(rate), ENDLESS) : feed(Pacer.unlimited(), 0);
  }

  private LiveFeed feed(Pacer pacer, long limit) {
    Iterator<OutgoingMessage> messages =
        StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(records(), Spliterator.ORDERED), false)
            .limit(limit)
            .iterator();
    // Records of the present do not limit what the next live job may send.
    Consumer<Instant> newest = timestamps == null ? bench::sentUpTo : any -> {};
    return new LiveFeed(bench.topics(), topic, messages, pacer, sent, newest);
  }

  /** Sends N records without a rate limit, so that most of them wait in Kafka. */
  void sendAtOnce(long records) throws IOException {
    try (LiveFeed feed = feed(Pacer.unlimited(), records)) {
      feed.awaitAllSent();
    }
  }

  private Iterator<OutgoingMessage> records() {
    Workload workload = bench.workload();
    LongSupplier ofNext = timestamps;
    if (ofNext != null) {
      return new DenseRecords(
          workload.format(),
          ENDLESS,
          workload.users(),
          bench.cells(),
          number -> ofNext.getAsLong());
    }
    return new LocationGenerator(
        workload.generated(ENDLESS, bench.nextLiveStart().toEpochMilli()), bench.cells());
  }

  /**
   * Waits until all sent records are stored.
   *
   * @throws IOException if the job stops storing before all are stored, or stores more than were
   *     sent
   */
  void awaitAllStored() throws Exception {
    long last = lag();
    Poll poll = new Poll(POLL, PATIENCE);
    while (last > 0) {
      job.requireAlive();
      long notStored = last;
      poll.pause(() -> tooLate("%,d records are not stored".formatted(notStored)));
      long now = lag();
      if (now < last) {
        poll.restart();
      }
      last = now;
    }
    if (last < 0) {
      throw new IOException("%,d more records are stored than were sent".formatted(-last));
    }
  }

  /**
   * Waits until the lag is below one second's records, or for {@link #CATCHING_UP} at most.
   *
   * @param rate incoming records a second
   */
  void awaitCaughtUp(double rate) throws Exception {
    Poll poll = new Poll(POLL, CATCHING_UP);
    while (lag() > rate && !poll.isOver()) {
      job.requireAlive();
      poll.pause();
    }
  }

  /** Records that were sent and are not stored yet. */
  long lag() {
    return sent() - (stored() - storedBefore);
  }

  /** Counts a record that was not sent by a feed. */
  void countSent() {
    sent.incrementAndGet();
  }

  /** Records that all feeds have handed to Kafka's client so far. */
  long sent() {
    return sent.get();
  }

  /** Documents in History. */
  long stored() {
    return bench.store().historyCount();
  }

  /**
   * Rates in records a second.
   *
   * @param sent handed to Kafka's client by all feeds
   * @param stored in History
   * @param cpu CPU seconds a second
   */
  record Rates(double sent, double stored, ProcessCpu.Reading cpu) {}

  /** Counts from its creation. */
  final class Counting {
    private final long beganNanos = System.nanoTime();
    private final long storedAtFirst = stored();
    private final long sentAtFirst = sent();
    private final ProcessCpu.Reading cpuAtFirst = bench.cpu().read();

    /** The average rates so far. */
    Rates rates() {
      double seconds = (System.nanoTime() - beganNanos) / 1e9;
      return new Rates(
          (sent() - sentAtFirst) / seconds,
          (stored() - storedAtFirst) / seconds,
          bench.cpu().read().since(cpuAtFirst).perSecond(seconds));
    }
  }

  /**
   * Finds the maximum sustainable rate beside a sender on this machine, to within a tenth. Both
   * collections have to keep up.
   */
  double findMaxSustainableRate() throws Exception {
    // The rate of a newly started job may be below or above the maximum.
    double rate = ingestRate;
    double tooHigh;
    if (keepsUpWith(rate)) {
      tooHigh = rate / NEXT_SHARE;
      while (keepsUpWith(tooHigh)) {
        rate = tooHigh;
        tooHigh /= NEXT_SHARE;
      }
    } else {
      do {
        tooHigh = rate;
        rate *= NEXT_SHARE;
      } while (!keepsUpWith(rate));
    }
    double between = (rate + tooHigh) / 2;
    return keepsUpWith(between) ? between : rate;
  }

  private boolean keepsUpWith(double rate) throws Exception {
    Rates found;
    LiveFeed feed = feed(rate);
    try {
      Thread.sleep(Duration.ofSeconds(SETTLING_SECONDS).toMillis());
      Counting counting = new Counting();
      Thread.sleep(Duration.ofSeconds(SUSTAINED_SECONDS).toMillis());
      found = counting.rates();
    } finally {
      feed.close();
    }
    if (found.stored() <= 0) {
      throw new IOException(
          "the job stored nothing of %,.0f records/s: check that history.retention does not reject records of %d days ago"
              .formatted(found.sent(), Bench.LIVE_SPAN.toDays()));
    }
    Duration behind = awaitUsersStored();
    bench.say(
        "Offered %,.0f records/s, sent %,.0f, stored %,.0f; users' last locations %.1f s behind"
            .formatted(rate, found.sent(), found.stored(), behind.toMillis() / 1e3));
    awaitAllStored();
    return found.stored() >= KEEPS_UP * rate && behind.compareTo(MAX_BEHIND) <= 0;
  }

  /**
   * Measures how long Last Known Location is still written after the last record was sent. It may
   * be behind History by all that its sink holds, and History's rate does not show that.
   */
  private Duration awaitUsersStored() throws InterruptedException {
    long began = System.nanoTime();
    long lastChange = began;
    long writes = bench.store().lastKnownLocationWrites();
    while (System.nanoTime() - lastChange < QUIET.toNanos()) {
      Thread.sleep(POLL.toMillis());
      long now = bench.store().lastKnownLocationWrites();
      if (now != writes) {
        writes = now;
        lastChange = System.nanoTime();
      }
    }
    return Duration.ofNanos(lastChange - began);
  }

  @Override
  public void close() throws IOException {
    job.close();
  }
}
