package io.lastfix.notify.undelivered;

import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.kit.kafka.KafkaFailure;
import io.lastfix.kit.kafka.TopicReader;
import io.lastfix.kit.kafka.UnreadableMessageException;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.rules.alert.AlertCodec;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Writes undelivered alerts to the topic of alerts once more, each for the one receiver that did
 * not get it. It has the same id, so a receiver that got it nevertheless recognises the repeat. The
 * topic of undelivered alerts stays as it is: a second run writes the same alerts again.
 */
public final class Redelivery {
  /** For each acknowledgement, waiting for room included. */
  private static final String LIMIT_MILLIS = "30000";

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

  /** Acknowledgements that are waited for together. */
  private static final int BATCH = 1_000;

  private final Supplier<Properties> client;
  private final String undeliveredTopic;
  private final String alertsTopic;

  /**
   * What a run has done.
   *
   * @param read messages of the topic
   * @param unreadable those among them that cannot be read
   * @param chosen pairs of an alert and a receiver, each once
   */
  public record Result(long read, long unreadable, long chosen) {
    /**
     * Returns a line for the user.
     *
     * @param isTrial whether nothing was written
     */
    public String text(boolean isTrial) {
      String what =
          chosen == 0
              ? "No undelivered alerts of that receiver and time"
              : "Alerts %s once more: %,d"
                  .formatted(isTrial ? "that would be published" : "published", chosen);
      return unreadable == 0 ? what : what + "; messages that cannot be read: " + unreadable;
    }
  }

  /** What a receiver recognises: a pair that was given up twice is chosen once. */
  private record Pair(String alertId, Action receiver) {}

  /**
   * For those topics.
   *
   * @param client returns new properties of a client at each call
   * @param undeliveredTopic is read up to the end that it has then
   * @param alertsTopic is written to
   */
  public Redelivery(Supplier<Properties> client, String undeliveredTopic, String alertsTopic) {
    this.client = client;
    this.undeliveredTopic = undeliveredTopic;
    this.alertsTopic = alertsTopic;
  }

  /**
   * Reads all undelivered alerts, and writes the chosen ones.
   *
   * @param receiver the {@link UndeliveredAlert#receiverName}; null: any
   * @param from the earliest instant at which they were given up; null: any
   * @param to the end of that time, which is not in it; null: none
   * @param isTrial true: nothing is written
   * @param chosen receives each chosen alert, before it is written
   * @throws IOException if Kafka does not answer, has no such topic, or does not take an alert;
   *     what was chosen before may have been written
   */
  public Result run(
      @Nullable String receiver,
      @Nullable Instant from,
      @Nullable Instant to,
      boolean isTrial,
      Consumer<UndeliveredAlert> chosen)
      throws IOException {
    Predicate<UndeliveredAlert> isChosen =
        it ->
            (receiver == null || receiver.equals(it.receiverName()))
                && (from == null || !it.at().isBefore(from))
                && (to == null || it.at().isBefore(to));
    Map<TopicPartition, ConsumerLag.Range> ranges = ranges();
    if (isTrial) {
      return new Run(isChosen, chosen, null).over(ranges);
    }
    Properties properties = client.get();
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, LIMIT_MILLIS);
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, LIMIT_MILLIS);
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "10000");
    properties.put(ProducerConfig.LINGER_MS_CONFIG, "5");
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      return new Run(isChosen, chosen, producer).over(ranges);
    } catch (KafkaException e) {
      throw new IOException("Kafka: " + KafkaFailure.explain(e), e);
    }
  }

  private Map<TopicPartition, ConsumerLag.Range> ranges() throws IOException {
    Admin admin = Admin.create(client.get());
    try {
      Map<TopicPartition, ConsumerLag.Range> ranges =
          new ConsumerLag(admin).ranges(List.of(undeliveredTopic));
      if (ranges.isEmpty()) {
        throw new IOException(
            "there is no topic %s: lastfix notify creates it".formatted(undeliveredTopic));
      }
      return ranges;
    } finally {
      admin.close(CLOSE_LIMIT);
    }
  }

  /** Returns the message that only that receiver takes. */
  static ProducerRecord<byte[], byte[]> message(String topic, UndeliveredAlert undelivered) {
    Alert all = undelivered.alert();
    Alert alert =
        new Alert(
            all.user(),
            all.atMillis(),
            all.rule(),
            all.version(),
            all.kind(),
            all.confirmedMillis(),
            all.fence(),
            all.cause(),
            all.position(),
            all.cell(),
            all.source(),
            all.accuracyMeters(),
            all.certainty(),
            all.counted(),
            List.of(undelivered.receiver()));
    return new ProducerRecord<>(topic, AlertCodec.key(alert), AlertCodec.value(alert));
  }

  private final class Run {
    private final Predicate<UndeliveredAlert> isChosen;
    private final Consumer<UndeliveredAlert> chosen;
    private final @Nullable Producer<byte[], byte[]> producer;
    private final Set<Pair> pairs = new HashSet<>();
    private final List<Future<?>> sent = new ArrayList<>();
    private long read;
    private long unreadable;

    Run(
        Predicate<UndeliveredAlert> isChosen,
        Consumer<UndeliveredAlert> chosen,
        @Nullable Producer<byte[], byte[]> producer) {
      this.isChosen = isChosen;
      this.chosen = chosen;
      this.producer = producer;
    }

    Result over(Map<TopicPartition, ConsumerLag.Range> ranges) throws IOException {
      new TopicReader(client).<IOException>read(ranges, message -> take(message.value()));
      awaitAll();
      return new Result(read, unreadable, pairs.size());
    }

    private void take(byte @Nullable [] value) throws IOException {
      read++;
      List<UndeliveredAlert> all;
      try {
        all = UndeliveredCodec.read(value);
      } catch (UnreadableMessageException e) {
        unreadable++;
        return;
      }
      for (UndeliveredAlert undelivered : all) {
        publish(undelivered);
      }
    }

    private void publish(UndeliveredAlert undelivered) throws IOException {
      Pair pair = new Pair(AlertCodec.id(undelivered.alert()), undelivered.receiver());
      if (!isChosen.test(undelivered) || !pairs.add(pair)) {
        return;
      }
      chosen.accept(undelivered);
      if (producer != null) {
        sent.add(producer.send(message(alertsTopic, undelivered)));
        if (sent.size() >= BATCH) {
          awaitAll();
        }
      }
    }

    private void awaitAll() throws IOException {
      try {
        for (Future<?> one : sent) {
          var unused = one.get();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("Interrupted while Kafka takes alerts");
      } catch (ExecutionException e) {
        throw new IOException(
            "Kafka does not take an alert: " + KafkaFailure.explain(e.getCause()), e);
      }
      sent.clear();
    }
  }
}
