package io.lastfix.gateway.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.gateway.kafka.ReadOnlyAdmin;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DevicesTopicTest {
  private static final DevicesTopic TOPIC =
      new DevicesTopic("broker:9092", "lastfix.devices", 1, (short) -1);

  private static ReadOnlyAdmin broker(String policy) {
    return new ReadOnlyAdmin(
        Map.of(TOPIC.name(), Map.of("cleanup.policy", policy, "max.message.bytes", "1048588")));
  }

  @Test
  void anExistingTopicNeedsNoRightToCreateOne() {
    ReadOnlyAdmin broker = broker("compact");

    TOPIC.ensure(broker.admin(), true);

    assertThat(broker.calls()).containsExactly("listTopics", "describeConfigs");
  }

  @Test
  void anExistingTopicThatWouldLoseMessagesIsRefused() {
    assertThatThrownBy(() -> TOPIC.ensure(broker("delete").admin(), true))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "The topic lastfix.devices has cleanup.policy=delete, so Kafka would delete registrations:"
                + " run kafka-configs.sh --bootstrap-server broker:9092 --alter --entity-type topics"
                + " --entity-name lastfix.devices --add-config cleanup.policy=compact");
  }

  @Test
  void aMissingTopicIsNamedWithTheCommandThatCreatesIt() {
    assertThatThrownBy(() -> TOPIC.ensure(new ReadOnlyAdmin(Map.of()).admin(), false))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Kafka has no topic lastfix.devices. Create it with lastfix group create, or set"
                + " kafka.create-topics: true. Kafka hides a topic from a user without Describe on"
                + " it: grant that if the topic exists");
  }
}
