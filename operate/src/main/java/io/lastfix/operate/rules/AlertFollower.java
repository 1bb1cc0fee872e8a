package io.lastfix.operate.rules;

import io.lastfix.cluster.StackException;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.kit.kafka.KafkaClients;
import io.lastfix.kit.kafka.KafkaFailure;
import io.lastfix.model.alert.Alert;
import io.lastfix.rules.alert.AlertCodec;
import io.lastfix.rules.alert.AlertFormatException;
import io.lastfix.store.alerts.AlertQueries.Selection;
import io.lastfix.store.alerts.StoredAlert;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Follows the topic of alerts, without a consumer group, from the end that it has when this is
 * made. Partitions that are added later are not read.
 */
public final class AlertFollower implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final Consumer<byte @Nullable [], byte @Nullable []> consumer;

  /** Prints alerts. */
  public interface Target {
    /** Receives one. */
    void print(AlertRows row) throws IOException;
  }

  /**
   * Finds the topic's end.
   *
   * @throws StackException if there is no such topic
   * @throws IOException if Kafka does not answer
   */
  public static AlertFollower connect(KafkaOptions kafka, String topic) throws IOException {
    try {
      return new AlertFollower(
          KafkaClients.consumer(kafka.clientProperties(), LIMIT, "latest"), topic);
    } catch (KafkaException e) {
      throw KafkaFailure.withAddresses(kafka.bootstrapServers(), failure(e));
    }
  }

  AlertFollower(Consumer<byte @Nullable [], byte @Nullable []> consumer, String topic) {
    this.consumer = consumer;
    try {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      if (partitions.isEmpty()) {
        throw new StackException(
            "there is no topic %s, so no alert can come: lastfix submit rules creates it"
                .formatted(topic));
      }
      consumer.assign(partitions);
      consumer.seekToEnd(partitions);
      // Now, and not with the first poll: what comes from here on is not missed.
      partitions.forEach(consumer::position);
    } catch (RuntimeException e) {
      consumer.close();
      throw e;
    }
  }

  /**
   * Passes on each alert that comes, until the caller wants no more.
   *
   * @param isNested as for {@link AlertRows#row}
   * @param skipped receives a line about each message that cannot be read
   * @param isWanted is called several times a second
   */
  public void follow(
      Selection selection,
      boolean isNested,
      Target target,
      java.util.function.Consumer<String> skipped,
      BooleanSupplier isWanted)
      throws IOException {
    try {
      while (isWanted.getAsBoolean()) {
        for (ConsumerRecord<byte @Nullable [], byte @Nullable []> message : consumer.poll(POLL)) {
          Optional<Alert> alert = alert(message, skipped).filter(selection::has);
          if (alert.isPresent()) {
            StoredAlert news = new StoredAlert(alert.get(), Optional.empty());
            target.print(new AlertRows(List.of(AlertRows.row(news, isNested)), false, List.of()));
          }
        }
      }
    } catch (KafkaException e) {
      throw failure(e);
    }
  }

  private static Optional<Alert> alert(
      ConsumerRecord<byte @Nullable [], byte @Nullable []> message,
      java.util.function.Consumer<String> skipped) {
    try {
      return Optional.of(AlertCodec.read(message.value()));
    } catch (AlertFormatException e) {
      skipped.accept(
          "A message of %s is skipped: partition %d, offset %d: %s"
              .formatted(message.topic(), message.partition(), message.offset(), e.getMessage()));
      return Optional.empty();
    }
  }

  private static IOException failure(KafkaException e) {
    return new IOException("Kafka: " + e.getMessage(), e);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
