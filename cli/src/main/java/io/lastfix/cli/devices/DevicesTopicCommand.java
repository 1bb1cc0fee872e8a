package io.lastfix.cli.devices;

import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.gateway.devices.DeviceId;
import io.lastfix.gateway.devices.DevicesMessage;
import io.lastfix.gateway.devices.DevicesSnapshot;
import io.lastfix.gateway.devices.DevicesTopic;
import io.lastfix.gateway.devices.DevicesTopicWriter;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.kafka.topics.KafkaAdmin;
import io.lastfix.kit.kafka.KafkaFailure;
import io.lastfix.model.device.Presence;
import io.lastfix.operate.access.QuerySession;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.devices.DevicesTopicReading;
import io.lastfix.operate.devices.UnknownOutcomeException;
import io.lastfix.operate.status.JobHealth;
import io.lastfix.store.query.QueryOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.RetriableException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The base class of the commands over {@code lastfix.devices}. */
abstract class DevicesTopicCommand extends JsonCommand {
  private static final long WRITE_SECONDS = 30;
  private static final Duration QUERY_LIMIT = Duration.ofSeconds(30);

  @Option(
      names = "--devices-topic",
      paramLabel = "NAME",
      description = "Topic of groups and devices (default: ${DEFAULT-VALUE}).",
      defaultValue = DevicesTopic.DEFAULT_NAME)
  private String topic = DevicesTopic.DEFAULT_NAME;

  @Mixin private final AccessOptions options = new AccessOptions();

  /** What a command works on. */
  record Session(String topic, KafkaOptions kafka, DevicesSnapshot snapshot) {
    DevicesTopicWriter writer() {
      return new DevicesTopicWriter(
          topic, new HashMap<>(JobHealth.properties(kafka)), Duration.ofSeconds(WRITE_SECONDS));
    }

    /**
     * Writes a message, and returns once Kafka has acknowledged it.
     *
     * @throws UnknownOutcomeException if it may be stored
     * @throws IOException if it is not stored
     */
    void write(DevicesMessage message) throws IOException {
      try (DevicesTopicWriter writer = writer()) {
        writer.write(message).get(WRITE_SECONDS, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        Throwable notStored = e.getCause();
        // What Kafka's client says, if it was asked.
        Throwable cause = notStored.getCause() == null ? notStored : notStored.getCause();
        throw failure(topic, message, cause);
      } catch (TimeoutException e) {
        throw failure(topic, message, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while writing to " + topic, e);
      }
    }
  }

  /**
   * What a failed write means. Kafka's own refusal is certain. Without an answer, the message may
   * be stored: it was on its way.
   */
  static IOException failure(String topic, DevicesMessage message, Throwable cause) {
    if (cause instanceof ApiException && !(cause instanceof RetriableException)) {
      return new IOException(
          "nothing was changed, because Kafka did not take the message for %s: %s"
              .formatted(topic, KafkaFailure.explain(cause)),
          cause);
    }
    return new UnknownOutcomeException(
        "Kafka did not acknowledge the message for %s within %d s, and may have stored it or not: %s shows which"
            .formatted(
                topic,
                WRITE_SECONDS,
                message instanceof DevicesMessage.OfGroup
                    ? "lastfix group list"
                    : "lastfix device list"),
        cause);
  }

  /**
   * The presence of a device; empty if it never gave a sign of life, or if no MongoDB is known: the
   * other answers come from Kafka alone.
   */
  final Optional<Presence> presence(DeviceId device) throws IOException {
    if (options.access().mongo().isEmpty()) {
      return Optional.empty();
    }
    try (QuerySession mongo = new QuerySession(options.load(), QueryOptions.within(QUERY_LIMIT))) {
      return mongo.presence().of(device.toString());
    }
  }

  /** Executes the command, and prints its result. */
  abstract void run(Session session) throws IOException;

  /** Whether the topic is created if it is absent. */
  boolean createsTopic() {
    return false;
  }

  @Override
  public final Integer call() throws IOException {
    check();
    KafkaOptions kafka = options.load(Servers.Kind.KAFKA).kafka();
    DevicesSnapshot snapshot = read(kafka);
    snapshot
        .unreadable()
        .forEach(place -> err().printf("A message of %s is skipped: %s%n", topic, place));
    run(new Session(topic, kafka, snapshot));
    return 0;
  }

  /** Rejects invalid arguments before any server is queried. */
  void check() {}

  private DevicesSnapshot read(KafkaOptions kafka) throws IOException {
    if (createsTopic()) {
      try (Admin admin = KafkaAdmin.connect(kafka)) {
        new DevicesTopic(
                kafka.bootstrapServers(),
                topic,
                kafka.newTopicPartitions(),
                kafka.newTopicReplication())
            .ensure(admin, true);
      }
    }
    return DevicesTopicReading.read(kafka, topic);
  }
}
