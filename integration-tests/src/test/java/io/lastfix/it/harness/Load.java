package io.lastfix.it.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.it.harness.Scenario.Message;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Sends messages at a steady rate on a thread of its own, while the test does harm. Its producer
 * rides out an outage of the broker by itself, as a probe in the field has to.
 */
public final class Load implements AutoCloseable {
  private static final long TICK_MILLIS = 20;

  /** Longer than any outage, or messages that the test counts on would be given up. */
  private static final int PATIENCE_MILLIS = 15 * 60_000;

  private final LocationRun run;
  private final List<Message> messages;
  private final int perSecond;
  private final Producer<byte[], byte[]> producer;
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final AtomicInteger stored = new AtomicInteger();
  private final AtomicReference<Exception> failure = new AtomicReference<>();

  /** How many messages may be sent. */
  private volatile int limit;

  // Of the sender's thread.
  private long lastNanos = System.nanoTime();
  private double due;
  private int next;

  private Load(LocationRun run, List<Message> messages, int perSecond) {
    this.run = run;
    this.messages = List.copyOf(messages);
    limit = messages.size();
    this.perSecond = perSecond;
    Properties properties = run.config().kafka().clientProperties();
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, PATIENCE_MILLIS);
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, PATIENCE_MILLIS);
    producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /** Begins to send. */
  public static Load start(LocationRun run, List<Message> messages, int perSecond) {
    Load load = new Load(run, messages, perSecond);
    var unused =
        load.thread.scheduleAtFixedRate(load::sendWhatIsDue, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
    return load;
  }

  /** Begins to send without the records of the first second, which the job has stored already. */
  public static Load startAfterFirstSecond(LocationRun run, List<Message> messages, int perSecond) {
    return start(run, messages.subList(perSecond, messages.size()), perSecond);
  }

  private void sendWhatIsDue() {
    long now = System.nanoTime();
    due = Math.min(limit, due + (now - lastNanos) / 1e9 * perSecond);
    lastNanos = now;
    sendUpTo((int) due);
  }

  private void sendUpTo(int end) {
    try {
      for (; next < end; next++) {
        var unused =
            producer.send(
                run.toSend(messages.get(next)),
                (metadata, e) -> {
                  if (e == null) {
                    stored.incrementAndGet();
                  } else {
                    failure.compareAndSet(null, e);
                  }
                });
      }
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
    }
  }

  /** How many messages there are to send. */
  public int size() {
    return messages.size();
  }

  /**
   * Sends so many of the messages and then waits, until it is told another number: so a harm that
   * takes longer than expected does not find all sent.
   */
  public void sendOnly(int count) {
    limit = Math.min(count, messages.size());
  }

  /** How many messages the broker has. */
  public int stored() {
    return stored.get();
  }

  /** Waits until the broker has so many messages, or all there are. */
  public void awaitStored(int count) {
    await("the broker has %d messages".formatted(count))
        .atMost(LocationRun.LIMIT)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> stored.get() >= Math.min(count, messages.size()) || failure.get() != null);
    assertThat(failure.get()).isNull();
  }

  /** Sends the rest without a pause, and waits until the broker has them all. */
  public void finish() {
    var unused = thread.submit(() -> sendUpTo(messages.size()));
    awaitStored(messages.size());
  }

  @Override
  public void close() {
    thread.shutdownNow();
    producer.close(Duration.ZERO);
  }
}
