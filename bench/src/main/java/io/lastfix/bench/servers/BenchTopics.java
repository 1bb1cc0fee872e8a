package io.lastfix.bench.servers;

import io.lastfix.catalogs.CellEntryJson;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.kafka.topics.KafkaAdmin;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.kit.kafka.KafkaAnswer;
import io.lastfix.kit.kafka.KafkaFailure;
import io.lastfix.kit.kafka.KafkaRequestException;
import io.lastfix.kit.poll.Poll;
import io.lastfix.model.CellEntry;
import io.lastfix.model.CellSite;
import io.lastfix.model.CellVersion;
import io.lastfix.model.Tower;
import io.lastfix.operate.bench.Benchmark;
import io.lastfix.workload.MessageSender;
import io.lastfix.workload.OutgoingMessage;
import io.lastfix.workload.Pacer;
import io.lastfix.workload.PushException;
import io.lastfix.workload.PushSummary;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** The benchmark's topics. They are filled before a measurement and deleted at the end. */
public final class BenchTopics implements AutoCloseable {
  /** The prefix of all their names; every topic with it is deleted. */
  public static final String PREFIX = Benchmark.TOPIC_PREFIX;

  private static final int PARTITIONS = 4;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Before every record, so that the catalogue is valid for all of them. */
  private static final long VALID_FROM_MILLIS = 0;

  private final KafkaOptions kafka;
  private final Admin admin;
  private final Set<String> filled = new HashSet<>();

  /** Connects to those brokers. */
  public BenchTopics(KafkaOptions kafka) {
    this.kafka = kafka;
    this.admin = KafkaAdmin.connect(kafka);
  }

  /** Deletes the topics of this benchmark and of earlier ones. */
  public void deleteAll() throws IOException, InterruptedException {
    try {
      List<String> ours =
          KafkaAnswer.await(admin.listTopics().names(), LIMIT).stream()
              .filter(name -> name.startsWith(PREFIX))
              .toList();
      KafkaAnswer.await(admin.deleteTopics(ours).all(), LIMIT);
      filled.clear();
      Poll poll = new Poll(Duration.ofMillis(100), LIMIT);
      while (KafkaAnswer.await(admin.listTopics().names(), LIMIT).stream()
          .anyMatch(ours::contains)) {
        poll.pause(() -> new IOException("they are still listed"));
      }
    } catch (IOException e) {
      IOException failure = KafkaFailure.withAddresses(kafka.bootstrapServers(), e);
      throw new IOException(
          "Kafka did not delete the topics that begin with %s: %s"
              .formatted(
                  PREFIX,
                  KafkaFailure.explain(
                      failure instanceof KafkaRequestException ? failure.getCause() : failure)),
          e);
    }
  }

  /** Creates a topic of the benchmark if it does not exist. */
  public void create(String topic) {
    new KafkaTopics(admin, kafka).createMissing(List.of(topic), PARTITIONS);
  }

  /** Publishes these cells as a catalogue, at the first call only. */
  public void fillCells(String topic, List<CellSite> cells)
      throws IOException, InterruptedException {
    if (filled.contains(topic)) {
      return;
    }
    create(topic);
    try (Producer<byte[], byte[]> producer = MessageSender.newProducer(kafka.clientProperties())) {
      List<Future<RecordMetadata>> answers = new ArrayList<>(cells.size());
      for (CellSite cell : cells) {
        CellEntry entry =
            new CellEntry(
                cell.cell(),
                List.of(
                    new Tower(
                        cell.radio(),
                        List.of(new CellVersion(VALID_FROM_MILLIS, cell.position())))));
        answers.add(
            producer.send(
                new ProducerRecord<>(topic, CellEntryJson.key(entry), CellEntryJson.value(entry))));
      }
      for (Future<RecordMetadata> answer : answers) {
        var unused = answer.get();
      }
      filled.add(topic);
    } catch (ExecutionException e) {
      throw new IOException(
          "Kafka did not accept the catalogue: " + KafkaFailure.explain(e.getCause()), e);
    }
  }

  /** Fills a topic with messages, at the first call only. */
  public void fill(String topic, Iterator<OutgoingMessage> messages) throws PushException {
    if (!filled.contains(topic)) {
      var unused = push(topic, messages, Pacer.unlimited());
      filled.add(topic);
    }
  }

  /** Sends messages at a rate, and returns when Kafka has all of them. */
  public PushSummary push(String topic, Iterator<OutgoingMessage> messages, Pacer pacer)
      throws PushException {
    create(topic);
    try (MessageSender sender =
        new MessageSender(MessageSender.newProducer(kafka.clientProperties()), message -> topic)) {
      return sender.send(messages, pacer, sent -> {});
    }
  }

  @Override
  public void close() {
    admin.close();
  }
}
