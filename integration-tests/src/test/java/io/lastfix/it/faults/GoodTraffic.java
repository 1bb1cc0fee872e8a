package io.lastfix.it.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Scenario.TowerFact;
import io.lastfix.store.history.HistoryOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Sends one record at a time, at a steady rate, and sees when each is in History: the n-th that is
 * there is taken for the n-th that was sent.
 */
final class GoodTraffic implements AutoCloseable {
  private static final long LOOK_MILLIS = 20;

  private final LocationRun run;
  private final TowerFact tower;
  private final List<String> collections;
  private final ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor();
  private final ScheduledExecutorService looker = Executors.newSingleThreadScheduledExecutor();

  /** Milliseconds since 1970 of each that was sent, and how long it took where it is stored. */
  private final List<Long> sentMillis = new ArrayList<>();

  private final List<Long> tookMillis = new ArrayList<>();

  private GoodTraffic(LocationRun run, TowerFact tower) {
    this.run = run;
    this.tower = tower;
    HistoryOptions history = run.config().history();
    long now = System.currentTimeMillis();
    // A test may run over the end of a period.
    collections =
        List.of(history.collectionAt(now), history.collectionAt(history.period().endOf(now)));
  }

  /** Begins to send records, each of a user of its own. */
  static GoodTraffic start(LocationRun run, TowerFact tower, int perSecond) {
    GoodTraffic traffic = new GoodTraffic(run, tower);
    var unusedSending =
        traffic.sender.scheduleAtFixedRate(
            traffic::sendOne, 0, 1_000_000 / perSecond, TimeUnit.MICROSECONDS);
    var unusedLooking =
        traffic.looker.scheduleWithFixedDelay(traffic::look, 0, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    return traffic;
  }

  private synchronized void sendOne() {
    long now = System.currentTimeMillis();
    String message =
        "{\"user\":\"good-%d\",\"cell\":\"%s\",\"ts\":%d}"
            .formatted(sentMillis.size(), tower.cell(), now);
    var unused =
        run.producer()
            .send(
                new ProducerRecord<>(
                    run.config().kafka().locationTopic("json"), message.getBytes(UTF_8)));
    sentMillis.add(now);
  }

  private void look() {
    long count =
        collections.stream()
            .mapToLong(name -> run.database().getCollection(name).estimatedDocumentCount())
            .sum();
    long now = System.currentTimeMillis();
    synchronized (this) {
      while (tookMillis.size() < count && tookMillis.size() < sentMillis.size()) {
        tookMillis.add(now - sentMillis.get(tookMillis.size()));
      }
    }
  }

  synchronized int sent() {
    return sentMillis.size();
  }

  synchronized int stored() {
    return tookMillis.size();
  }

  void awaitStored(int count) {
    await("%d good records are stored".formatted(count))
        .atMost(LocationRun.LIMIT)
        .until(() -> stored() >= count);
  }

  /**
   * Waits until that stretch of time is over, and one more second, and says how long so many of a
   * hundred of the records sent in it took at most. Those that are not stored yet count as long as
   * they have waited.
   */
  Duration percentile(int percent, Instant from, Duration length) {
    Chaos.last(from, length.plusSeconds(1));
    long now = System.currentTimeMillis();
    List<Long> took = new ArrayList<>();
    synchronized (this) {
      for (int i = 0; i < sentMillis.size(); i++) {
        long sent = sentMillis.get(i);
        if (sent >= from.toEpochMilli() && sent < from.plus(length).toEpochMilli()) {
          took.add(i < tookMillis.size() ? tookMillis.get(i) : now - sent);
        }
      }
    }
    took.sort(null);
    return Duration.ofMillis(took.get(took.size() * percent / 100));
  }

  /** Sends no more. */
  void stop() throws InterruptedException {
    sender.shutdown();
    sender.awaitTermination(LocationRun.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    run.producer().flush();
  }

  @Override
  public void close() {
    sender.shutdownNow();
    looker.shutdownNow();
  }
}
