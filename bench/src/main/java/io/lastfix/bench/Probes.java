package io.lastfix.bench;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import io.lastfix.bench.load.Latencies;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.model.CellSite;
import io.lastfix.model.LocationRecord;
import io.lastfix.workload.LocationGenerator;
import io.lastfix.workload.MessageFormat;
import io.lastfix.workload.MessageSender;
import io.lastfix.workload.RecordEncoder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.bson.Document;

/**
 * Sends single records of users that no other sender uses, and polls until each is found in History
 * and in Last Known Location.
 *
 * <p>A latency begins when the record is due to be handed to Kafka's client, which sends it at
 * once. That is slightly before Kafka appends it, and uses one clock.
 */
final class Probes {
  private static final long GAP_NANOS = Duration.ofMillis(20).toNanos();
  private static final long POLL_MILLIS = 4;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Bench bench;
  private final LiveJob job;
  private int nextUser;

  /**
   * @param firstUser the number of the first of the users
   */
  Probes(Bench bench, LiveJob job, int firstUser) {
    this.bench = bench;
    this.job = job;
    this.nextUser = firstUser;
  }

  /** The results in both collections. */
  record Found(Probed history, Probed lastKnownLocation) {}

  /**
   * The results in one collection.
   *
   * @param each in the order in which they were found
   */
  record Probed(Latencies latencies, List<Probe> each) {
    private Probed() {
      this(new Latencies(), new ArrayList<>());
    }

    private void add(Probe probe) {
      latencies.add(probe.tookNanos());
      each.add(probe);
    }
  }

  /**
   * One probe.
   *
   * @param dueNanos when it was due to be sent, by {@link System#nanoTime}
   */
  record Probe(long dueNanos, long tookNanos) {}

  /** One collection, and the send times of the probes not yet found in it. */
  private record Awaited(
      MongoCollection<Document> collection,
      String field,
      Map<String, Long> sentNanos,
      Probed found) {
    void poll() {
      if (sentNanos.isEmpty()) {
        return;
      }
      for (Document document :
          collection
              .find(Filters.in(field, List.copyOf(sentNanos.keySet())))
              .projection(Projections.include(field))) {
        Long sent = sentNanos.remove(document.getString(field));
        if (sent != null) {
          found.add(new Probe(sent, System.nanoTime() - sent));
        }
      }
    }
  }

  /** Sends probes for a duration, and waits for the last ones. */
  Found measure(Duration duration) throws IOException, InterruptedException {
    LocationJobConfig config = bench.config();
    String partition = config.history().collectionAt(System.currentTimeMillis());
    Awaited history =
        new Awaited(
            bench.store().database().getCollection(partition),
            "user",
            new HashMap<>(),
            new Probed());
    Awaited lastKnownLocation =
        new Awaited(
            bench.store().database().getCollection(config.lastKnownLocation().collection()),
            "_id",
            new HashMap<>(),
            new Probed());
    Properties atOnce = config.kafka().clientProperties();
    atOnce.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    try (Producer<byte[], byte[]> producer = MessageSender.newProducer(atOnce)) {
      // The first send waits for the topic's metadata.
      producer.partitionsFor(job.topic());
      long end = System.nanoTime() + duration.toNanos();
      long nextNanos = System.nanoTime();
      while (System.nanoTime() < end) {
        if (System.nanoTime() >= nextNanos) {
          String user = send(producer);
          // Since the due time: a probe that was sent late must not look faster.
          history.sentNanos().put(user, nextNanos);
          lastKnownLocation.sentNanos().put(user, nextNanos);
          nextNanos += GAP_NANOS;
        }
        poll(history, lastKnownLocation);
      }
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (!history.sentNanos().isEmpty() || !lastKnownLocation.sentNanos().isEmpty()) {
        if (System.nanoTime() > deadline) {
          throw new IOException(
              "after %d s, queries do not find %d probes in History and %d in Last Known Location"
                  .formatted(
                      PATIENCE.toSeconds(),
                      history.sentNanos().size(),
                      lastKnownLocation.sentNanos().size()));
        }
        poll(history, lastKnownLocation);
      }
    }
    return new Found(history.found(), lastKnownLocation.found());
  }

  private static void poll(Awaited history, Awaited lastKnownLocation) throws InterruptedException {
    history.poll();
    lastKnownLocation.poll();
    Thread.sleep(POLL_MILLIS);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // A lost record is a probe that is never found.
  private String send(Producer<byte[], byte[]> producer) {
    String user = LocationGenerator.user(nextUser++);
    CellSite cell = bench.cells().get(nextUser % bench.cells().size());
    MessageFormat format = bench.workload().format();
    RecordEncoder encoder = format.newEncoder();
    LocationRecord record =
        new LocationRecord(user, cell.cell(), cell.radio(), System.currentTimeMillis());
    producer.send(
        new ProducerRecord<>(
            job.topic(),
            user.getBytes(StandardCharsets.UTF_8),
            encoder.encode(List.of(encoder.asRead(record)), nextUser)));
    job.countSent();
    return user;
  }
}
