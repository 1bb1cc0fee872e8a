package io.lastfix.operate.rules;

import io.lastfix.cluster.StackException;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.kafka.topics.KafkaAdmin;
import io.lastfix.kit.kafka.ConsumerLag.Range;
import io.lastfix.kit.kafka.TopicReader;
import io.lastfix.operate.devices.Acknowledgement;
import io.lastfix.rules.topic.RuleCodec;
import io.lastfix.rules.topic.RuleFormatException;
import io.lastfix.rules.topic.RuleMessage;
import io.lastfix.rules.topic.RuleTopic;
import io.lastfix.rules.topic.StoredMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The topic in Kafka. It has one partition, so its messages have one order.
 *
 * @param topic its name
 * @param mayBeAbsent whether a topic that does not exist has no messages
 */
public record KafkaRuleTopic(KafkaOptions kafka, String topic, boolean mayBeAbsent)
    implements RuleTopic {
  private static final int REQUEST_SECONDS = 10;

  /** The topic, which must exist. */
  public KafkaRuleTopic(KafkaOptions kafka, String topic) {
    this(kafka, topic, false);
  }

  /**
   * {@inheritDoc}
   *
   * @throws StackException if there is no such topic, but has to be
   * @throws IOException if it has more than one partition, or Kafka does not answer or refuses
   */
  @Override
  public Reading read(long from, Consumer<StoredMessage> messages) throws IOException {
    Map<TopicPartition, Range> ranges = KafkaAdmin.ranges(kafka, topic);
    if (ranges.isEmpty() && mayBeAbsent) {
      return new Reading(from, List.of());
    }
    if (ranges.isEmpty()) {
      throw new StackException(
          "there is no topic %s, so neither a rule nor a fence is stored: begin with lastfix fence put or lastfix rule put"
              .formatted(topic));
    }
    if (ranges.size() > 1) {
      throw new IOException(
          "the topic %s has %d partitions, but rules need the order of one: name another topic in rules.topic"
              .formatted(topic, ranges.size()));
    }
    Map.Entry<TopicPartition, Range> only = ranges.entrySet().iterator().next();
    Range range = new Range(Math.max(from, only.getValue().begin()), only.getValue().end());
    List<String> skipped = new ArrayList<>();
    new TopicReader(kafka::clientProperties)
        .read(
            Map.of(only.getKey(), range),
            message -> {
              try {
                RuleCodec.read(message.key(), message.value())
                    .ifPresent(read -> messages.accept(new StoredMessage(message.offset(), read)));
              } catch (RuleFormatException e) {
                skipped.add("offset %d: %s".formatted(message.offset(), e.getMessage()));
              }
            });
    return new Reading(range.end(), skipped);
  }

  /**
   * {@inheritDoc}
   *
   * @throws IOException as {@link Acknowledgement#await}
   */
  @Override
  public void write(RuleMessage message) throws IOException {
    boolean isOfFence = message instanceof RuleMessage.OfFence;
    Acknowledgement acknowledgement =
        new Acknowledgement(topic, isOfFence ? "lastfix fence list" : "lastfix rule list");
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(
            producerProperties(), new ByteArraySerializer(), new ByteArraySerializer())) {
      acknowledgement.await(
          producer.send(
              new ProducerRecord<>(topic, RuleCodec.key(message), RuleCodec.value(message))));
    } catch (InterruptedException e) {
      throw acknowledgement.interrupted(e);
    }
  }

  private Properties producerProperties() {
    Properties properties = kafka.clientProperties();
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, millis(Acknowledgement.LIMIT_SECONDS));
    properties.put(
        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis(Acknowledgement.LIMIT_SECONDS));
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, millis(REQUEST_SECONDS));
    return properties;
  }

  private static String millis(int seconds) {
    return Long.toString(TimeUnit.SECONDS.toMillis(seconds));
  }
}
