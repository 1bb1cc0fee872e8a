package io.lastfix.gateway.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.gateway.config.KafkaOptions;
import io.lastfix.gateway.config.LimitOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A producer behind a thread of its own.
 *
 * <p>{@code KafkaProducer.send} blocks while it waits for a topic's metadata or for memory. Here it
 * blocks that thread only: {@link #send} merely puts the record into a queue. The queue has no
 * limit. In the gateway each record in it holds a share of the {@link ByteBudget}: a fixed cost for
 * each request, and its bytes. A command waits for each record. A record that waited longer than
 * the delivery timeout is not sent. After a wait for metadata in vain, the topic's further records
 * fail at once for some seconds. So one lost topic does not delay the others.
 */
public final class KafkaSender implements RecordSender, AutoCloseable {
  /** The longest that {@code send} may block; a topic's metadata is there long before. */
  static final Duration MAX_BLOCK = Duration.ofSeconds(1);

  /**
   * How long what is sent to a topic fails at once, after a wait for its metadata in vain:
   * otherwise each message would wait as long as the one before.
   */
  public static final Duration METADATA_PAUSE = Duration.ofSeconds(5);

  /** Room in the producer's memory for a batch that is not full, in each partition. */
  private static final long BATCH_ROOM = 32L << 20;

  private static final String STOPPING = "the gateway stops";
  private static final Logger LOG = LoggerFactory.getLogger(KafkaSender.class);

  private final Producer<byte[], byte[]> producer;
  private final Duration deliveryTimeout;
  private final LongSupplier nanoTime;
  private final BlockingQueue<Waiting> queue = new LinkedBlockingQueue<>();

  /** When each topic's pause ends, by {@link #nanoTime}. For {@link #thread} alone. */
  private final Map<String, Long> pauseEnds = new HashMap<>();

  private final Thread thread;
  private volatile boolean stopping;

  private record Waiting(
      @Nullable OutgoingRecord record, CompletableFuture<Stored> answer, long since) {}

  /**
   * Starts the thread.
   *
   * @param producer closed with this
   * @param deliveryTimeout also the longest wait in the queue
   * @param nanoTime {@code System::nanoTime}
   */
  public KafkaSender(
      Producer<byte[], byte[]> producer, Duration deliveryTimeout, LongSupplier nanoTime) {
    this.producer = producer;
    this.deliveryTimeout = deliveryTimeout;
    this.nanoTime = nanoTime;
    thread = new Thread(this::run, "kafka-send");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Connects; Kafka need not answer yet.
   *
   * @param budgetBytes of all records that may wait for an acknowledgement
   */
  public static KafkaSender connect(KafkaOptions kafka, LimitOptions limits, long budgetBytes) {
    return new KafkaSender(
        new KafkaProducer<>(
            producerProperties(kafka, limits, budgetBytes),
            new ByteArraySerializer(),
            new ByteArraySerializer()),
        kafka.deliveryTimeout(),
        System::nanoTime);
  }

  static Properties producerProperties(KafkaOptions kafka, LimitOptions limits, long budgetBytes) {
    Properties all = new Properties();
    all.put("client.id", "lastfix-gateway");
    // A broker that is back is found at once.
    all.put("reconnect.backoff.max.ms", "1000");
    // The metadata of a topic is kept while no record is written to it: else the next record waits.
    all.put("metadata.max.idle.ms", "86400000");
    // Records that come within it share a request, and with it wake-ups and system calls of the
    // broker and of this process. Kafka's own default since 4.0 (KIP-1030).
    all.put("linger.ms", "5");
    all.putAll(kafka.clientProperties());
    all.put("acks", "all");
    all.put("enable.idempotence", "true");
    all.put("max.block.ms", Long.toString(MAX_BLOCK.toMillis()));
    all.put("delivery.timeout.ms", Long.toString(kafka.deliveryTimeout().toMillis()));
    all.put("request.timeout.ms", Long.toString(kafka.deliveryTimeout().toMillis() / 2));
    // A record takes a whole batch of its own if it fits into no other: at worst, half is unused.
    all.put("buffer.memory", Long.toString(2L * budgetBytes + BATCH_ROOM));
    all.put(
        "max.request.size", Integer.toString(limits.maxBytes() + TopicCheck.RECORD_OVERHEAD_BYTES));
    return all;
  }

  /** Why no record can be sent, whatever Kafka does; empty if there is no reason. */
  public Optional<String> problem() {
    return thread.isAlive() || stopping
        ? Optional.empty()
        : Optional.of("the thread kafka-send has ended: restart the gateway");
  }

  /** The longest time until {@link #send} has an answer. */
  public static Duration longestAnswer(KafkaOptions kafka) {
    return kafka.deliveryTimeout().multipliedBy(2).plus(MAX_BLOCK);
  }

  @Override
  public CompletableFuture<Stored> send(OutgoingRecord record) {
    CompletableFuture<Stored> answer = new CompletableFuture<>();
    if (stopping) {
      refuse(answer, STOPPING);
      return answer;
    }
    queue.add(new Waiting(record, answer, nanoTime.getAsLong()));
    return answer;
  }

  /**
   * A topic's number of partitions. Blocks for a second at most while Kafka does not answer.
   *
   * @throws org.apache.kafka.common.KafkaException if it does not answer in time
   */
  public int partitions(String topic) {
    return producer.partitionsFor(topic).size();
  }

  private void run() {
    try {
      while (true) {
        Waiting waiting = queue.take();
        if (waiting.record() == null) {
          return;
        }
        try {
          send(waiting.record(), waiting);
        } catch (RuntimeException | Error e) {
          // One record's failure, whatever it is, must not end the thread that sends all others.
          LOG.warn("cannot send a record to topic {}", waiting.record().topic(), e);
          waiting.answer().completeExceptionally(notStored(waiting.record().topic(), e));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void send(OutgoingRecord record, Waiting waiting) {
    String topic = record.topic();
    long now = nanoTime.getAsLong();
    if (now - waiting.since() > deliveryTimeout.toNanos()) {
      refuse(
          waiting.answer(),
          "the record waited %d s to be sent to topic %s"
              .formatted(deliveryTimeout.toSeconds(), topic));
      return;
    }
    Long pauseEnd = pauseEnds.get(topic);
    if (pauseEnd != null && pauseEnd - now > 0) {
      refuse(waiting.answer(), "Kafka has no topic " + topic);
      return;
    }
    // The callback gets the same outcome.
    var unused =
        producer.send(
            producerRecord(record),
            (metadata, failure) -> {
              if (failure == null) {
                waiting
                    .answer()
                    .complete(
                        new Stored(metadata.topic(), metadata.partition(), metadata.offset()));
              } else {
                // A failure of send itself is reported on the thread that calls it. Kafka's
                // answers come on another thread and begin no pause.
                if (Thread.currentThread() == thread && failure instanceof TimeoutException) {
                  pauseEnds.put(topic, nanoTime.getAsLong() + METADATA_PAUSE.toNanos());
                }
                waiting.answer().completeExceptionally(notStored(topic, failure));
              }
            });
  }

  private static ProducerRecord<byte[], byte[]> producerRecord(OutgoingRecord record) {
    String key = record.key();
    ProducerRecord<byte[], byte[]> outgoing =
        new ProducerRecord<>(
            record.topic(),
            record.partition(),
            key == null ? null : key.getBytes(UTF_8),
            record.value());
    Headers headers = outgoing.headers();
    record.headers().forEach((name, value) -> headers.add(name, value.getBytes(UTF_8)));
    return outgoing;
  }

  private static void refuse(CompletableFuture<Stored> answer, String message) {
    answer.completeExceptionally(new NotStoredException(message, null, false));
  }

  private static NotStoredException notStored(String topic, Throwable failure) {
    return new NotStoredException(
        "Kafka did not acknowledge a record of topic %s: %s"
            .formatted(topic, failure.getClass().getSimpleName()),
        failure,
        failure instanceof RecordTooLargeException);
  }

  /**
   * Takes no more records, and waits for the answers of the others, within the delivery timeout.
   */
  @Override
  public void close() {
    close(deliveryTimeout);
  }

  /**
   * Takes no more records, and waits for the answers of the others.
   *
   * @param longest time for handing them to the producer, and again for their answers
   */
  public void close(Duration longest) {
    stopping = true;
    queue.add(new Waiting(null, new CompletableFuture<>(), 0));
    try {
      thread.join(longest.plus(MAX_BLOCK).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    producer.close(longest);
    // Records that were queued between the two are not sent any more.
    queue.forEach(waiting -> refuse(waiting.answer(), STOPPING));
  }
}
