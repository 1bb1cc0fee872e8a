package io.lastfix.jobs.kafka.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

class KafkaTopicsTest {
  @Test
  void aKafkaThatDoesNotAnswerIsNamedWithItsAddressAndNoCauseIsLeftToBeToldInstead()
      throws Exception {
    // It accepts connections, and no process reads a request.
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + silent.getLocalPort();
      LocationJobConfig config =
          LocationJobConfig.load(
              null,
              List.of(
                  "kafka.bootstrap-servers=" + address,
                  "kafka.properties.request.timeout.ms=100",
                  "kafka.properties.default.api.timeout.ms=200"),
              variable -> null);
      try (Admin admin = KafkaAdmin.connect(config.kafka())) {
        KafkaTopics topics = new KafkaTopics(admin, config.kafka());

        assertThatThrownBy(() -> topics.ensure(config.profileNames()))
            .isInstanceOf(IllegalStateException.class)
            .hasNoCause()
            .hasMessageContainingAll(
                "Kafka at " + address + " does not answer",
                "check kafka.bootstrap-servers and that the broker runs");
      }
    }
  }

  /** Such a broker does not know message.timestamp.after.max.ms. */
  @Test
  void aBrokerBefore36GetsTheCataloguesTopicWithoutTheSettingThatItDoesNotKnow() {
    KafkaOptions kafka = LocationJobConfig.load(null, List.of(), variable -> null).kafka();
    AdminOfOldBroker broker = new AdminOfOldBroker();

    new KafkaTopics(broker.admin(), kafka).createMissing(List.of(kafka.cellsTopic()), 2);

    assertThat(broker.asked)
        .extracting(NewTopic::name, NewTopic::numPartitions, topic -> topic.configs().keySet())
        .containsExactly(
            tuple(
                "lastfix.cells",
                2,
                Set.of("cleanup.policy", "delete.retention.ms", "message.timestamp.after.max.ms")),
            tuple("lastfix.cells", 2, Set.of("cleanup.policy", "delete.retention.ms")));
  }

  @Test
  void anotherSettingThatABrokerRefusesIsTold() {
    KafkaOptions kafka = LocationJobConfig.load(null, List.of(), variable -> null).kafka();
    AdminOfOldBroker broker = new AdminOfOldBroker();
    broker.refused = Set.of("delete.retention.ms");

    KafkaTopics topics = new KafkaTopics(broker.admin(), kafka);

    assertThatThrownBy(() -> topics.createMissing(List.of(kafka.cellsTopic()), 2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("create topic lastfix.cells", "delete.retention.ms");
  }

  /**
   * Rejects a setting as a broker that does not know it; without the setting, reports that the
   * topic exists.
   */
  private static final class AdminOfOldBroker {
    private final List<NewTopic> asked = new ArrayList<>();
    private Set<String> refused = Set.of("message.timestamp.after.max.ms");

    Admin admin() {
      return (Admin)
          Proxy.newProxyInstance(
              Admin.class.getClassLoader(),
              new Class<?>[] {Admin.class},
              (proxy, method, arguments) -> create((Collection<?>) arguments[0]));
    }

    private CreateTopicsResult create(Collection<?> topics) {
      NewTopic topic = (NewTopic) topics.iterator().next();
      asked.add(topic);
      KafkaFutureImpl<CreateTopicsResult.TopicMetadataAndConfig> answer = new KafkaFutureImpl<>();
      answer.completeExceptionally(
          topic.configs().keySet().stream()
              .filter(refused::contains)
              .findFirst()
              .<Exception>map(
                  key -> new InvalidConfigurationException("Unknown topic config name: " + key))
              .orElseGet(() -> new TopicExistsException("It exists")));
      return new CreateTopicsResult(Map.of(topic.name(), answer)) {};
    }
  }
}
