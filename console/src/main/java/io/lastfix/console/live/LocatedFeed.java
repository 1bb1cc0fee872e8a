package io.lastfix.console.live;

import io.lastfix.console.http.LogText;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Sighting;
import io.lastfix.model.located.LocatedRecordCodec;
import io.lastfix.model.located.LocatedRecordFormatException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the topic of located records from its end on, in a thread of its own. */
public final class LocatedFeed implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LocatedFeed.class);
  private static final Duration POLL = Duration.ofMillis(500);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(5);

  /** A page that hears nothing shows this much later why. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** After which the consumer queries what partitions there are, instead of remembering it. */
  private static final String METADATA_AGE_MILLIS = "30000";

  private static final long RETRY_MILLIS = 1_000;
  private static final long STOP_MILLIS = 5_000;

  private final String topic;
  private final Consumer<Sighting> target;
  private final org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer;
  private final Thread thread;
  private final Set<TopicPartition> assigned = new HashSet<>();
  private volatile Optional<String> problem = Optional.of("Kafka has not answered yet");
  private volatile boolean isClosed;

  /**
   * Starts to read.
   *
   * @param client properties of every Kafka client
   */
  public LocatedFeed(String topic, Map<String, String> client, Consumer<Sighting> target) {
    this(topic, consumer(client), target);
  }

  LocatedFeed(
      String topic,
      org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer,
      Consumer<Sighting> target) {
    this.topic = topic;
    this.consumer = consumer;
    this.target = target;
    thread = new Thread(this::run, "located-feed");
    thread.setDaemon(true);
    thread.start();
  }

  private static KafkaConsumer<byte[], byte[]> consumer(Map<String, String> client) {
    Map<String, Object> properties = new HashMap<>(client);
    properties.put("client.id", "lastfix-console");
    properties.put("enable.auto.commit", "false");
    properties.put("auto.offset.reset", "latest");
    properties.put("allow.auto.create.topics", "false");
    properties.put("reconnect.backoff.max.ms", "1000");
    properties.put("metadata.max.age.ms", METADATA_AGE_MILLIS);
    properties.put("default.api.timeout.ms", Long.toString(ANSWER_LIMIT.toMillis()));
    properties.put("request.timeout.ms", Long.toString(ANSWER_LIMIT.toMillis()));
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** Why nothing comes, or not all; empty if what there is comes. */
  public Optional<String> problem() {
    return problem;
  }

  private void run() {
    try (consumer) {
      long looked = System.nanoTime() - LOOK_NANOS;
      while (!isClosed) {
        try {
          if (assigned.isEmpty() || System.nanoTime() - looked > LOOK_NANOS) {
            lookInTime();
            looked = System.nanoTime();
          }
          if (assigned.isEmpty()) {
            TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
          } else {
            consumer.poll(POLL).forEach(this::forward);
          }
        } catch (WakeupException e) {
          return;
        } catch (KafkaException e) {
          said(Optional.of("Kafka does not answer: " + e.getMessage()));
          TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.error("reading {} ended: {}", topic, LogText.trace(e));
      problem = Optional.of("reading %s ended; restart the console".formatted(topic));
    }
  }

  /** A partition that does not answer must not keep the others from being polled. */
  private void lookInTime() {
    try {
      look();
    } catch (TimeoutException e) {
      // Its message has the time that it took, so each would be another one.
      said(Optional.of("Kafka does not answer"));
    }
  }

  /** Finds new partitions, which are read from their beginning unless they are the first ones. */
  private void look() {
    List<PartitionInfo> infos = consumer.partitionsFor(topic, ANSWER_LIMIT);
    List<TopicPartition> found = infos.stream().map(LocatedFeed::partition).toList();
    if (found.isEmpty()) {
      said(Optional.of("there is no topic %s".formatted(topic)));
      return;
    }
    List<TopicPartition> added = found.stream().filter(it -> !assigned.contains(it)).toList();
    if (!added.isEmpty()) {
      boolean isFirst = assigned.isEmpty();
      assigned.addAll(added);
      consumer.assign(assigned);
      if (isFirst) {
        consumer.seekToEnd(added);
      } else {
        consumer.seekToBeginning(added);
      }
    }
    // A partition without a leader cannot answer, and cannot receive a record either.
    List<TopicPartition> led =
        infos.stream().filter(LocatedFeed::hasLeader).map(LocatedFeed::partition).toList();
    // Now, not with the first poll: what comes from here on is not missed.
    led.stream().filter(added::contains).forEach(it -> consumer.position(it, ANSWER_LIMIT));
    // The partitions may be known from before; a poll is silent if Kafka does not answer.
    consumer.endOffsets(led, ANSWER_LIMIT);
    int without = found.size() - led.size();
    said(
        without == 0
            ? Optional.empty()
            : Optional.of(
                "%d of the %d partitions of %s have no leader"
                    .formatted(without, found.size(), topic)));
  }

  private static TopicPartition partition(PartitionInfo info) {
    return new TopicPartition(info.topic(), info.partition());
  }

  private static boolean hasLeader(PartitionInfo info) {
    return info.leader() != null && !info.leader().isEmpty();
  }

  private void said(Optional<String> found) {
    if (!found.equals(problem)) {
      problem = found;
      found.ifPresentOrElse(
          text -> LOG.warn("located records are missing: {}", text),
          () -> LOG.info("reading {}", topic));
    }
  }

  private void forward(ConsumerRecord<byte[], byte[]> message) {
    try {
      target.accept(sighting(LocatedRecordCodec.read(message.key(), message.value())));
    } catch (LocatedRecordFormatException e) {
      LOG.warn(
          "{} partition {} offset {}: {}",
          topic,
          message.partition(),
          message.offset(),
          e.getMessage());
    }
  }

  static Sighting sighting(LocatedRecord record) {
    Fix fix = record.fix();
    return new Sighting(
        record.user(),
        Instant.ofEpochMilli(record.timestampMillis()),
        record.cell() == null ? null : record.cell().toString(),
        record.position(),
        record.source(),
        fix == null ? null : fix.accuracyMeters(),
        fix == null ? null : fix.altitudeMeters(),
        fix == null ? null : record.cellPosition(),
        record.isFar(),
        null);
  }

  @Override
  public void close() {
    isClosed = true;
    consumer.wakeup();
    try {
      thread.join(STOP_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
