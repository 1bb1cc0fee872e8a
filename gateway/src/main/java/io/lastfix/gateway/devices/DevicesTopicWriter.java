package io.lastfix.gateway.devices;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes to {@code lastfix.devices} with one producer, whose {@code send} may block: it is called
 * on a thread of its own. Waiting messages are bounded; one more fails at once.
 */
public final class DevicesTopicWriter implements DevicesWriter, AutoCloseable {
  private static final int MAX_WAITING = 200_000;
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

  private final String topic;
  private final Producer<byte[], byte @Nullable []> producer;
  private final ExecutorService sender;

  /**
   * A writer with a producer of its own.
   *
   * @param properties of Kafka clients; the writer adds what durability needs
   */
  public DevicesTopicWriter(String topic, Map<String, Object> properties) {
    this(topic, newProducer(properties));
  }

  DevicesTopicWriter(String topic, Producer<byte[], byte @Nullable []> producer) {
    this.topic = topic;
    this.producer = producer;
    sender =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            task -> {
              Thread thread = new Thread(task, "lastfix-devices-writer");
              thread.setDaemon(true);
              return thread;
            });
  }

  private static Producer<byte[], byte @Nullable []> newProducer(Map<String, Object> properties) {
    Map<String, Object> all = new HashMap<>(properties);
    all.put(ProducerConfig.ACKS_CONFIG, "all");
    all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    // A burst of registrations becomes few requests; a single one waits this long.
    all.put(ProducerConfig.LINGER_MS_CONFIG, 5);
    all.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public CompletableFuture<Void> write(DevicesMessage message) {
    CompletableFuture<Void> written = new CompletableFuture<>();
    try {
      sender.execute(() -> send(message, written));
    } catch (RejectedExecutionException e) {
      written.completeExceptionally(
          new IllegalStateException("more than " + MAX_WAITING + " messages wait for Kafka", e));
    }
    return written;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // The callback receives the same result.
  private void send(DevicesMessage message, CompletableFuture<Void> written) {
    try {
      producer.send(
          new ProducerRecord<>(topic, DevicesCodec.key(message), DevicesCodec.value(message)),
          (metadata, failure) -> {
            if (failure == null) {
              written.complete(null);
            } else {
              written.completeExceptionally(failure);
            }
          });
    } catch (RuntimeException e) {
      written.completeExceptionally(e);
    }
  }

  /** Sends what waits, for ten seconds at most. */
  @Override
  public void close() {
    sender.shutdown();
    try {
      if (!sender.awaitTermination(CLOSE_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        sender.shutdownNow();
      }
    } catch (InterruptedException e) {
      sender.shutdownNow();
      Thread.currentThread().interrupt();
    }
    producer.close(CLOSE_LIMIT);
  }
}
