package io.lastfix.gateway.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.DescribeConfigsResult;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;

class DevicesTopicTest {
  private static final DevicesTopic TOPIC =
      new DevicesTopic("broker:9092", "lastfix.devices", 1, (short) -1);

  private final List<String> calls = new ArrayList<>();

  private static final class Described extends DescribeTopicsResult {
    private Described() {
      super(
          null,
          Map.of(
              TOPIC.name(),
              KafkaFuture.completedFuture(new TopicDescription(TOPIC.name(), false, List.of()))));
    }
  }

  private static final class Configured extends DescribeConfigsResult {
    private Configured(String policy) {
      super(
          Map.of(
              new ConfigResource(ConfigResource.Type.TOPIC, TOPIC.name()),
              KafkaFuture.completedFuture(
                  new Config(
                      List.of(
                          new ConfigEntry("cleanup.policy", policy),
                          new ConfigEntry("max.message.bytes", "1048588"))))));
    }
  }

  /** Kafka with the topic, for a user who may describe, and nothing else. */
  private Admin admin(String policy) {
    return (Admin)
        Proxy.newProxyInstance(
            Admin.class.getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, method, arguments) -> {
              calls.add(method.getName());
              return switch (method.getName()) {
                case "describeTopics" -> new Described();
                case "describeConfigs" -> new Configured(policy);
                default -> throw new AssertionError("not allowed: " + method.getName());
              };
            });
  }

  @Test
  void anExistingTopicNeedsNoRightToCreateOne() throws DevicesTopicException {
    TOPIC.ensure(admin("compact"));

    assertThat(calls).containsExactly("describeTopics", "describeConfigs");
  }

  @Test
  void anExistingTopicThatWouldLoseMessagesIsRefused() {
    assertThatThrownBy(() -> TOPIC.ensure(admin("delete")))
        .isInstanceOf(DevicesTopicException.class)
        .hasMessage(
            "The topic lastfix.devices has cleanup.policy=delete, so Kafka would delete registrations:"
                + " run kafka-configs.sh --bootstrap-server broker:9092 --alter --entity-type topics"
                + " --entity-name lastfix.devices --add-config cleanup.policy=compact");
  }
}
