package io.lastfix.it.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Scenario.TowerFact;
import io.lastfix.it.harness.Scenario.Version;
import io.lastfix.it.harness.TestStack;
import io.lastfix.parse.RejectedMessage;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.record.FileRecords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The topic of rejected messages is changed while the job runs. */
class RejectedTopicIT {
  private static final TowerFact TOWER =
      new TowerFact(310, 4, 0, 1, "LTE", List.of(new Version(Instant.EPOCH, 1.5, 2.5)));

  private static final int SMALL_MESSAGES = 500;

  @TempDir private Path directory;

  @Test
  void aMessageThatTheTopicTakesNoLongerFailsTheJobOnceAndTheLimitIsRaised() throws Exception {
    try (LocationRun run =
        new LocationRun(TestStack.shared(), directory, "lowered", "job.parallelism=1")) {
      run.publish(List.of(TOWER));
      String job = run.submit();
      takeNoMoreThan(run, 2_000);
      // Together larger than the limit, each smaller; the job writes several before the broker
      // answers.
      Random random = new Random(7);
      List<Future<RecordMetadata>> small =
          Stream.generate(() -> start(run, incompressible(random, 500)))
              .limit(SMALL_MESSAGES)
              .toList();
      for (Future<RecordMetadata> one : small) {
        one.get();
      }
      send(run, incompressible(random, 8_000));
      send(
          run,
          "{\"user\":\"good\",\"cell\":\"%s\",\"ts\":%d}"
              .formatted(TOWER.cell(), Instant.now().toEpochMilli()));

      await("the good record is stored")
          .atMost(LocationRun.LIMIT)
          .untilAsserted(() -> assertThat(run.historyDocuments()).isEqualTo(1));
      await("the bad messages are rejected, with their bytes")
          .atMost(LocationRun.LIMIT)
          .untilAsserted(
              () ->
                  assertThat(run.rejected().stream().map(RejectedTopicIT::sizes).distinct())
                      .containsExactlyInAnyOrder(
                          "8000 sent, nothing omitted", "500 sent, nothing omitted"));
      run.drain(job);
      assertThat(
              run.rejected().stream()
                  .map(
                      rejected ->
                          LocationRun.header(rejected, "partition")
                              + "-"
                              + LocationRun.header(rejected, "offset"))
                  .distinct())
          .hasSize(SMALL_MESSAGES + 1);
      assertThat(run.restarts(job)).as("restarts").isEqualTo(1);
    }
  }

  /**
   * Else a limit that is lowered later could split a batch, and a checkpoint could cover what is
   * not written. Kafka's client fills a batch up by what it expects to save by compression: it
   * learns that from the first messages, and the large one then leaves room for many small ones.
   */
  @Test
  void eachMessageIsABatchOfItsOwnHoweverWellItCompresses() throws Exception {
    try (LocationRun run =
        new LocationRun(TestStack.shared(), directory, "compressible", "job.parallelism=1")) {
      run.publish(List.of(TOWER));
      String job = run.submit();
      for (int i = 0; i < SMALL_MESSAGES; i++) {
        var unused = start(run, "x".repeat(5_000));
      }
      send(run, "x");
      run.drain(job);
      var large = start(run, "x".repeat(900_000));
      for (int i = 0; i < SMALL_MESSAGES; i++) {
        var unused = start(run, "x".repeat(500));
      }
      send(run, "x");
      assertThat(large).isDone();
      run.drain(job);

      List<Integer> batches = batches(run, run.config().kafka().rejectedTopic());
      assertThat(batches).hasSize(2 * SMALL_MESSAGES + 3).containsOnly(1);
      assertThat(run.restarts(job)).as("restarts").isZero();
    }
  }

  /** How many messages each batch of a topic has, from the broker's files. */
  private static List<Integer> batches(LocationRun run, String topic) throws Exception {
    List<Integer> batches = new ArrayList<>();
    for (int broker : run.admin().describeCluster().nodes().get().stream().map(Node::id).toList()) {
      for (Map.Entry<String, LogDirDescription> folder :
          run.admin()
              .describeLogDirs(List.of(broker))
              .allDescriptions()
              .get()
              .get(broker)
              .entrySet()) {
        for (TopicPartition partition : folder.getValue().replicaInfos().keySet()) {
          if (partition.topic().equals(topic)) {
            Path segment =
                Path.of(folder.getKey(), partition.toString(), "00000000000000000000.log");
            try (FileRecords records = FileRecords.open(segment.toFile(), false)) {
              records.batches().forEach(batch -> batches.add(batch.countOrNull()));
            }
          }
        }
      }
    }
    return batches;
  }

  @Test
  void aTopicThatSomebodyDeletesIsMadeAgainWhenTheJobRestarts() throws Exception {
    try (LocationRun run =
        new LocationRun(
            TestStack.shared(),
            directory,
            "deleted",
            "job.parallelism=1",
            // Else Kafka's client gives up after two minutes, and the job restarts only then.
            "kafka.properties.request.timeout.ms=3000",
            "kafka.properties.delivery.timeout.ms=5000")) {
      run.publish(List.of(TOWER));
      String job = run.submit();
      send(run, "before");
      await("the topic is in use")
          .atMost(LocationRun.LIMIT)
          .until(() -> run.rejected().size() == 1);
      run.admin().deleteTopics(List.of(run.config().kafka().rejectedTopic())).all().get();
      send(run, incompressible(new Random(7), 500_000));

      await("the message is rejected, with its bytes")
          .atMost(LocationRun.LIMIT)
          .ignoreExceptionsMatching(e -> e.toString().contains("UnknownTopicOrPartition"))
          .untilAsserted(
              () ->
                  assertThat(run.rejected().stream().map(RejectedTopicIT::sizes).distinct())
                      .contains("500000 sent, nothing omitted"));
      run.drain(job);
      assertThat(run.restarts(job)).as("restarts").isPositive();
      assertThat(limit(run)).isGreaterThan(RejectedMessage.MAX_BYTES);
    }
  }

  private static String sizes(ConsumerRecord<byte[], byte[]> rejected) {
    return "%d sent, %s omitted"
        .formatted(
            rejected.value() == null ? 0 : rejected.value().length,
            rejected.headers().lastHeader("omitted") == null
                ? "nothing"
                : LocationRun.header(rejected, "omitted"));
  }

  /** The topic's limit counts compressed bytes. */
  private static String incompressible(Random random, int letters) {
    return random
        .ints(letters, 'a', 'z' + 1)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static void takeNoMoreThan(LocationRun run, int bytes) throws Exception {
    ConfigResource topic =
        new ConfigResource(ConfigResource.Type.TOPIC, run.config().kafka().rejectedTopic());
    ConfigEntry limit =
        new ConfigEntry(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(bytes));
    run.admin()
        .incrementalAlterConfigs(
            Map.of(topic, List.of(new AlterConfigOp(limit, AlterConfigOp.OpType.SET))))
        .all()
        .get();
    await("the broker knows the limit").atMost(LocationRun.LIMIT).until(() -> limit(run) == bytes);
  }

  private static int limit(LocationRun run) throws Exception {
    ConfigResource topic =
        new ConfigResource(ConfigResource.Type.TOPIC, run.config().kafka().rejectedTopic());
    return Integer.parseInt(
        run.admin()
            .describeConfigs(List.of(topic))
            .all()
            .get()
            .get(topic)
            .get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG)
            .value());
  }

  private static void send(LocationRun run, String message) throws Exception {
    start(run, message).get();
  }

  private static Future<RecordMetadata> start(LocationRun run, String message) {
    return run.producer()
        .send(
            new ProducerRecord<>(
                run.config().kafka().locationTopic("json"), message.getBytes(UTF_8)));
  }
}
