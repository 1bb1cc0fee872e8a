package io.lastfix.testcontainers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.Network;
import org.testcontainers.lifecycle.Startable;
import org.testcontainers.lifecycle.Startables;
import org.testcontainers.utility.MountableFile;

/**
 * MongoDB, Kafka, and Flink with the location job, in containers.
 *
 * <pre>{@code
 * try (LastfixContainers lastfix = new LastfixContainers()) {
 *   lastfix.start();
 *   lastfix.send("json", "{...}");
 *   assertThat(lastfix).lastKnownLocation("alice").isAt(-122.4, 37.8);
 * }
 * }</pre>
 *
 * <p>It is started and stopped once. Its images are those of {@link ServerImage}.
 */
public final class LastfixContainers implements Startable {
  /** The name of the database in MongoDB. */
  public static final String DATABASE = "lastfix";

  private static final Duration START_LIMIT = Duration.ofMinutes(3);
  private static final String JOB_JAR = "META-INF/lastfix/lastfix-jobs-job.jar";
  private static final String LOCATION_TOPICS = "lastfix.location.";
  private static final String CELLS_TOPIC = "lastfix.cells";
  private static final Duration SEND_LIMIT = Duration.ofSeconds(30);

  private final Network network = Network.newNetwork();
  private final MongoContainer mongo = new MongoContainer(network);
  private final KafkaContainer kafka = new KafkaContainer(network);
  private final List<String> settings = new ArrayList<>();

  private Duration assertionLimit = Duration.ofSeconds(30);
  private @Nullable Path jobJar;
  private @Nullable Started started;

  /** What runs. */
  private record Started(
      FlinkContainer flink, MongoClient client, Producer<byte[], byte[]> producer) {}

  /** Containers with the job's default configuration, but a checkpoint each second. */
  public LastfixContainers() {
    settings.add("mongo.uri=" + MongoContainer.inside());
    settings.add("mongo.database=" + DATABASE);
    settings.add("kafka.bootstrap-servers=" + KafkaContainer.inside());
    settings.add("checkpoint.interval=1 s");
    settings.add("job.parallelism=1");
  }

  /** Sets a key of the job's configuration ({@code config/location.yaml}). */
  public LastfixContainers withSetting(String key, String value) {
    settings.add(key + "=" + value);
    return this;
  }

  /** Sets another jar of the jobs than that of this release. */
  public LastfixContainers withJobJar(Path jar) {
    jobJar = jar;
    return this;
  }

  /** Sets for how long an assertion waits until it holds; 30 s by default. */
  public LastfixContainers withAssertionLimit(Duration limit) {
    assertionLimit = limit;
    return this;
  }

  @Override
  public void start() {
    if (started != null) {
      return;
    }
    Startables.deepStart(mongo, kafka).join();
    mongo.initiate(START_LIMIT);
    FlinkContainer flink =
        new FlinkContainer(
            network,
            jobJar == null
                ? MountableFile.forClasspathResource(JOB_JAR)
                : MountableFile.forHostPath(jobJar),
            settings,
            START_LIMIT);
    flink.start();
    started =
        new Started(
            flink,
            MongoClients.create(mongo.uri()),
            new KafkaProducer<>(
                Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, kafka.bootstrapServers()),
                new ByteArraySerializer(),
                new ByteArraySerializer()));
  }

  @Override
  public void stop() {
    if (started != null) {
      started.producer().close(Duration.ZERO);
      started.client().close();
      started.flink().stop();
      started = null;
    }
    kafka.stop();
    mongo.stop();
    network.close();
  }

  /** Sends a message to a profile's topic, and returns when the broker has it. */
  public void send(String profile, String message) {
    send(LOCATION_TOPICS + profile, null, message);
  }

  /**
   * Publishes the position of a cell, and returns when the broker has it.
   *
   * @param cell {@code mcc-mnc-area-cid}, or {@code mcc-mnc--cid} without an area
   */
  public void publishCell(String cell, double lon, double lat) {
    send(
        CELLS_TOPIC,
        cell,
        String.format(
            Locale.ROOT,
            "{\"cell\":\"%s\",\"towers\":[{\"radio\":\"LTE\",\"versions\":[{\"from\":\"1970-01-01T00:00:00Z\",\"lon\":%s,\"lat\":%s}]}]}",
            cell,
            lon,
            lat));
  }

  private void send(String topic, @Nullable String key, String message) {
    try {
      var unused =
          running()
              .producer()
              .send(
                  new ProducerRecord<>(
                      topic, key == null ? null : key.getBytes(UTF_8), message.getBytes(UTF_8)))
              .get(SEND_LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while sending to " + topic, e);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("Kafka did not take a message for " + topic, e);
    }
  }

  /** The connection string of MongoDB, for the test's process. */
  public String mongoUri() {
    return mongo.uri();
  }

  /** Kafka's address, for the test's process. */
  public String kafka() {
    return kafka.bootstrapServers();
  }

  /** The address of Flink's REST interface, for the test's process. */
  public String flinkUrl() {
    return running().flink().url();
  }

  /** The database with both collections. */
  public MongoDatabase database() {
    return running().client().getDatabase(DATABASE);
  }

  Duration assertionLimit() {
    return assertionLimit;
  }

  private Started running() {
    if (started == null) {
      throw new IllegalStateException("The containers were not started: call start() first");
    }
    return started;
  }
}
