package io.lastfix.workload;

import java.util.Iterator;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages to Kafka. It returns when the broker has acknowledged all messages, and throws if
 * the broker did not accept one.
 *
 * @param producer is closed with the sender
 * @param topicOf the topic of a message, for instance {@code message -> message.format().topic()}
 */
public record MessageSender(
    Producer<byte[], byte[]> producer, Function<OutgoingMessage, String> topicOf)
    implements AutoCloseable {
  /**
   * A producer configured for throughput and safety: idempotent, all replicas acknowledge, messages
   * wait up to 20 ms to form a batch. It retries for up to a minute.
   *
   * @param clientProperties at least Kafka's bootstrap servers; they override all other settings
   */
  public static Producer<byte[], byte[]> newProducer(Properties clientProperties) {
    Properties properties = new Properties();
    properties.put(ProducerConfig.CLIENT_ID_CONFIG, "lastfix-push");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    properties.put(ProducerConfig.LINGER_MS_CONFIG, 20);
    properties.put(ProducerConfig.BATCH_SIZE_CONFIG, 256 * 1024);
    properties.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 64L * 1024 * 1024);
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 30_000);
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 60_000);
    properties.putAll(clientProperties);
    return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /**
   * Sends all messages in order, at the pacer's rate.
   *
   * @param progress receives the number of records of each sent message; 1 if it is unknown
   * @throws PushException for the first message that could not be sent; later ones may have been
   *     sent
   */
  public PushSummary send(Iterator<OutgoingMessage> messages, Pacer pacer, LongConsumer progress)
      throws PushException {
    AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    long sent = 0;
    long records = 0;
    long duplicates = 0;
    long rejected = 0;
    long bytes = 0;
    long startNanos = System.nanoTime();
    while (messages.hasNext() && failure.get() == null) {
      OutgoingMessage message = messages.next();
      int weight = Math.max(1, message.recordCount());
      pacer.await(weight);
      send(message, failure);
      progress.accept(weight);
      sent++;
      records += message.recordCount();
      duplicates += message.resent() ? message.records().size() : 0;
      rejected += message.rejected();
      bytes += message.value().length;
    }
    flush();
    Exception cause = failure.get();
    if (cause != null) {
      throw new PushException(
          "Kafka did not accept every message (%d were sent): %s"
              .formatted(sent, cause.getMessage()),
          cause);
    }
    double seconds = (System.nanoTime() - startNanos) / (double) TimeUnit.SECONDS.toNanos(1);
    return new PushSummary(sent, records, duplicates, rejected, bytes, seconds);
  }

  @SuppressWarnings("FutureReturnValueIgnored") // the callback receives the same result
  private void send(OutgoingMessage message, AtomicReference<@Nullable Exception> failure)
      throws PushException {
    try {
      producer.send(
          new ProducerRecord<>(topicOf.apply(message), message.key(), message.value()),
          (metadata, exception) -> {
            if (exception != null) {
              failure.compareAndSet(null, exception);
            }
          });
    } catch (KafkaException e) {
      throw new PushException("Kafka did not accept a message: " + e.getMessage(), e);
    }
  }

  private void flush() throws PushException {
    try {
      producer.flush();
    } catch (KafkaException e) {
      throw new PushException("Kafka did not accept the last messages: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
