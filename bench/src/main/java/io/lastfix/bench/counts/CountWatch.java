package io.lastfix.bench.counts;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import io.lastfix.analytics.counts.CountKey;
import io.lastfix.bench.counts.CountLatencies.Observer;
import io.lastfix.kit.poll.Poll;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.counts.WindowCount;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * Reads the numbers of all records of a window where the analytics job publishes them, until it is
 * closed: in Kafka as they come, in MongoDB by a query every few milliseconds.
 */
public final class CountWatch implements AutoCloseable {
  private static final byte[] TOTAL = CountKey.of(CountBy.TOTAL, CountBy.ALL).getBytes(UTF_8);
  private static final Duration POLL = Duration.ofMillis(20);

  /** A number that comes later than this is not found in MongoDB. */
  private static final int WINDOWS = 6;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Observer kafka;
  private final Observer mongo;
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final List<Future<?>> watching = new ArrayList<>();
  private volatile boolean stopped;

  /**
   * Starts reading.
   *
   * @param topic of the counts
   * @param collections of the counts
   */
  public CountWatch(
      Properties kafkaClient,
      String topic,
      MongoDatabase database,
      NumberCollections collections,
      CountLatencies latencies,
      Instant from) {
    kafka = latencies.observe(from.toEpochMilli());
    mongo = latencies.observe(from.toEpochMilli());
    start(() -> readTopic(kafkaClient, topic));
    start(() -> readCollections(database, collections));
  }

  private void start(Callable<?> reader) {
    watching.add(threads.submit(reader));
  }

  /** What was seen in the topic. */
  public Observer kafka() {
    return kafka;
  }

  /** What was seen in the collection. */
  public Observer mongo() {
    return mongo;
  }

  /** Waits until both have seen the numbers of all records, for that long at most. */
  public void awaitAllCounted(Duration limit) throws InterruptedException {
    var unused = Poll.until(POLL, limit, () -> kafka.missing() + mongo.missing(), it -> it == 0);
  }

  private Void readTopic(Properties client, String topic) throws IOException {
    client.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    try (Consumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToEnd(partitions);
      while (!stopped) {
        for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
          if (Arrays.equals(message.key(), TOTAL)) {
            JsonNode number = JSON.readTree(message.value());
            kafka.found(
                Instant.parse(number.path("w").asText()).toEpochMilli(), number.path("n").asLong());
          }
        }
      }
    }
    return null;
  }

  private Void readCollections(MongoDatabase database, NumberCollections collections)
      throws InterruptedException {
    while (!stopped) {
      long newest = WindowCount.windowOf(System.currentTimeMillis());
      List<BsonDocument> ids = new ArrayList<>();
      for (int i = 0; i < WINDOWS; i++) {
        ids.add(
            new BsonDocument("w", new BsonDateTime(newest - i * WindowCount.WINDOW_MILLIS))
                .append("by", new BsonString(CountBy.TOTAL.text()))
                .append("k", new BsonString(CountBy.ALL)));
      }
      for (BsonDocument number :
          database
              .getCollection(collections.collectionAt(newest), BsonDocument.class)
              .find(Filters.in("_id", ids))
              .projection(Projections.include("n"))) {
        mongo.found(
            number.getDocument("_id").getDateTime("w").getValue(),
            number.getNumber("n").longValue());
      }
      Thread.sleep(POLL.toMillis());
    }
    return null;
  }

  /**
   * Stops reading.
   *
   * @throws IOException if reading has failed
   */
  @Override
  public void close() throws IOException {
    stopped = true;
    threads.shutdown();
    for (Future<?> reader : watching) {
      try {
        reader.get();
      } catch (ExecutionException e) {
        throw new IOException("reading counts failed: " + e.getCause().getMessage(), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while counts were read", e);
      }
    }
  }
}
