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
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes to {@code lastfix.devices} with one producer, whose {@code send} may block: it is called
 * on a thread of its own. Waiting messages are bounded; one more fails at once. A message that has
 * waited longer than the delivery timeout is not sent, and after a wait for metadata in vain
 * further messages fail at once for some seconds: nobody waits for their answers any longer.
 */
public final class DevicesTopicWriter implements DevicesWriter, AutoCloseable {
  private static final int MAX_WAITING = 200_000;
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

  /** How long messages fail at once if the topic has no metadata. */
  static final Duration PAUSE = Duration.ofSeconds(5);

  private final String topic;
  private final Producer<byte[], byte @Nullable []> producer;
  private final Duration deliveryTimeout;
  private final LongSupplier nanoTime;
  private final ExecutorService sender;

  /** Until when messages fail at once; null if they do not. Used by the sending thread only. */
  private @Nullable Long pausedUntil;

  /**
   * A writer with a producer of its own.
   *
   * @param properties of Kafka clients; the writer adds what durability needs
   * @param deliveryTimeout also the longest wait of a message before it is sent
   */
  public DevicesTopicWriter(
      String topic, Map<String, Object> properties, Duration deliveryTimeout) {
    this(topic, newProducer(properties), deliveryTimeout, System::nanoTime);
  }

  DevicesTopicWriter(
      String topic,
      Producer<byte[], byte @Nullable []> producer,
      Duration deliveryTimeout,
      LongSupplier nanoTime) {
    this.topic = topic;
    this.producer = producer;
    this.deliveryTimeout = deliveryTimeout;
    this.nanoTime = nanoTime;
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

  static Map<String, Object> producerProperties(Map<String, Object> properties) {
    Map<String, Object> all = new HashMap<>(properties);
    all.put(ProducerConfig.ACKS_CONFIG, "all");
    all.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    // A burst of registrations becomes few requests; a single one waits this long.
    all.put(ProducerConfig.LINGER_MS_CONFIG, 5);
    all.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    // Registrations are rare, and each would wait for metadata that was dropped meanwhile.
    all.putIfAbsent(ProducerConfig.METADATA_MAX_IDLE_CONFIG, 86_400_000);
    return all;
  }

  private static Producer<byte[], byte @Nullable []> newProducer(Map<String, Object> properties) {
    return new KafkaProducer<>(
        producerProperties(properties), new ByteArraySerializer(), new ByteArraySerializer());
  }

  @Override
  public CompletableFuture<Void> write(DevicesMessage message) {
    CompletableFuture<Void> written = new CompletableFuture<>();
    long since = nanoTime.getAsLong();
    try {
      sender.execute(() -> send(message, written, since));
    } catch (RejectedExecutionException e) {
      written.completeExceptionally(
          new IllegalStateException("more than " + MAX_WAITING + " messages wait for Kafka", e));
    }
    return written;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // The callback receives the same result.
  private void send(DevicesMessage message, CompletableFuture<Void> written, long since) {
    long now = nanoTime.getAsLong();
    if (now - since > deliveryTimeout.toNanos()) {
      written.completeExceptionally(
          new TimeoutException(
              "the message waited %d s to be sent to topic %s"
                  .formatted(deliveryTimeout.toSeconds(), topic)));
      return;
    }
    Long until = pausedUntil;
    if (until != null && until - now > 0) {
      written.completeExceptionally(new TimeoutException("Kafka does not know topic " + topic));
      return;
    }
    Thread sending = Thread.currentThread();
    try {
      producer.send(
          new ProducerRecord<>(topic, DevicesCodec.key(message), DevicesCodec.value(message)),
          (metadata, failure) -> {
            if (failure == null) {
              written.complete(null);
            } else {
              pauseIfUnknown(failure, sending);
              written.completeExceptionally(failure);
            }
          });
    } catch (RuntimeException | Error e) {
      written.completeExceptionally(e);
    }
  }

  /** Called on the sending thread if {@code send} itself fails, which it reports like this. */
  private void pauseIfUnknown(Exception failure, Thread sending) {
    if (Thread.currentThread() == sending && failure instanceof TimeoutException) {
      pausedUntil = nanoTime.getAsLong() + PAUSE.toNanos();
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
