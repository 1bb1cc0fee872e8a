package io.lastfix.operate.devices;

import io.lastfix.cluster.StackException;
import io.lastfix.gateway.devices.DeviceId;
import io.lastfix.gateway.devices.DeviceState;
import io.lastfix.gateway.devices.DevicesMessage;
import io.lastfix.gateway.devices.DevicesSnapshot;
import io.lastfix.gateway.devices.DevicesTopic;
import io.lastfix.gateway.devices.DevicesTopicWriter;
import io.lastfix.gateway.devices.Group;
import io.lastfix.gateway.devices.GroupKeys;
import io.lastfix.gateway.devices.Manifest;
import io.lastfix.gateway.devices.Registration;
import io.lastfix.gateway.devices.RegistrationAnswer;
import io.lastfix.gateway.devices.RegistrationRequest;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.kafka.topics.KafkaAdmin;
import io.lastfix.kit.kafka.ConsumerLag.Range;
import io.lastfix.kit.kafka.TopicReader;
import io.lastfix.operate.status.JobHealth;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;

/**
 * The groups and devices of a topic: reads them, and writes what an operator decides.
 *
 * @param topic its name
 * @param snapshot its content when it was read, and the decisions and groups written since; not the
 *     registrations
 * @param writers each for one use
 */
public record DevicesStore(
    String topic, DevicesSnapshot snapshot, Supplier<DevicesTopicWriter> writers) {
  private static final int REGISTRATION_SECONDS = 60;

  /** Creates a topic if it is absent, and checks an existing one. */
  public static void createTopic(KafkaOptions kafka, String topic) {
    try (Admin admin = KafkaAdmin.connect(kafka)) {
      new DevicesTopic(
              kafka.bootstrapServers(),
              topic,
              kafka.newTopicPartitions(),
              kafka.newTopicReplication())
          .ensure(admin, true);
    }
  }

  /**
   * Reads a topic.
   *
   * @throws StackException if there is no such topic
   * @throws IOException if Kafka does not answer
   */
  public static DevicesStore read(KafkaOptions kafka, String topic) throws IOException {
    Map<TopicPartition, Range> ranges = KafkaAdmin.ranges(kafka, topic);
    if (ranges.isEmpty()) {
      throw new StackException(
          "there is no topic %s, so no device is registered: begin with lastfix group create"
              .formatted(topic));
    }
    DevicesSnapshot snapshot = new DevicesSnapshot();
    new TopicReader(kafka::clientProperties).read(ranges, snapshot::add);
    return new DevicesStore(
        topic,
        snapshot,
        () ->
            new DevicesTopicWriter(
                topic,
                new HashMap<>(JobHealth.properties(kafka)),
                Duration.ofSeconds(Acknowledgement.LIMIT_SECONDS)));
  }

  /**
   * Writes a message, and returns once Kafka has acknowledged it.
   *
   * @throws UnknownOutcomeException if it may be stored
   * @throws IOException if it is not stored
   */
  public void write(DevicesMessage message) throws IOException {
    boolean isOfGroup = message instanceof DevicesMessage.OfGroup;
    Acknowledgement acknowledgement =
        new Acknowledgement(topic, isOfGroup ? "lastfix group list" : "lastfix device list");
    try (DevicesTopicWriter writer = writers.get()) {
      acknowledgement.await(writer.write(message));
    } catch (InterruptedException e) {
      throw acknowledgement.interrupted(e);
    }
    snapshot.add(message);
  }

  /**
   * Writes a group in place of the one of its name, and returns it.
   *
   * @throws IOException as {@link #write}
   */
  public Group put(Group group) throws IOException {
    write(new DevicesMessage.OfGroup(group.name(), group));
    return group;
  }

  /**
   * Writes a decision about a device, unless it is valid already. Returns the device's state.
   *
   * @param decision of the state before
   * @throws java.util.NoSuchElementException if it is not registered, with the remedy
   * @throws IllegalStateException if the newest decision about it cannot be read
   * @throws IOException as {@link #write}
   */
  public DeviceState decide(DeviceId device, UnaryOperator<DeviceState> decision)
      throws IOException {
    // Fails for an unknown one.
    snapshot.device(device);
    if (!snapshot.isStateReadable(device)) {
      throw new IllegalStateException(
          "the newest decision about device %s cannot be read, and this command could undo it: use the lastfix of the release that wrote it"
              .formatted(device));
    }
    DeviceState before = snapshot.state(device);
    DeviceState state = decision.apply(before);
    if (!state.equals(before)) {
      write(snapshot.decision(device, state, Instant.now()));
    }
    return state;
  }

  /**
   * Registers a device as a gateway does, but without its group's token.
   *
   * @param request without a manifest: a device that has one keeps it
   * @param keys of the groups
   * @throws java.util.NoSuchElementException if there is no such group, with the remedy
   * @throws IOException if Kafka does not acknowledge it; it can be repeated
   */
  public RegistrationAnswer enrol(String group, RegistrationRequest request, GroupKeys keys)
      throws IOException {
    Group enrolled = snapshot.group(group);
    UUID uuid = request.uuid();
    // A new registration without it would take it away.
    Manifest manifest = uuid == null ? null : snapshot.manifest(DeviceId.derive(group, uuid));
    try (DevicesTopicWriter writer = writers.get()) {
      return new Registration(
              snapshot.toDevices(), keys, writer::write, InstantSource.system(), UUID::randomUUID)
          .enrol(enrolled, new RegistrationRequest(uuid, request.deviceClass(), manifest))
          .get(REGISTRATION_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(
          "Kafka did not acknowledge the registration within %d s: run the command again with the same --uuid"
              .formatted(REGISTRATION_SECONDS),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while registering", e);
    }
  }
}
