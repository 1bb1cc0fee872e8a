package io.lastfix.gateway.kafka;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicCheckTest {
  private static Config policy(String policy) {
    return new Config(List.of(new ConfigEntry("cleanup.policy", policy)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"compact", "compact,delete"})
  void aCompactedTopicIsRefusedBecauseItKeepsTheLastRecordOfADevice(String policy) {
    assertThatThrownBy(
            () ->
                TopicCheck.requireNotCompacted(
                    Map.of("of-all", policy("delete"), "of-one", policy(policy))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "compacted, so Kafka would delete all records of a device but the last: of-one. Change"
                + " each: kafka-configs.sh --alter --entity-type topics --entity-name TOPIC"
                + " --add-config cleanup.policy=delete");
  }

  @Test
  void aTopicThatKeepsEveryRecordIsAccepted() {
    assertThatCode(() -> TopicCheck.requireNotCompacted(Map.of("of-all", policy("delete"))))
        .doesNotThrowAnyException();
  }

  private static Config timestamps(String type) {
    return new Config(List.of(new ConfigEntry("message.timestamp.type", type)));
  }

  @Test
  void aTopicOfHeartbeatsWithTheProducersTimesIsRefusedWithTheRemedy() {
    assertThatCode(() -> TopicCheck.requireAppendTimes("signs", timestamps("LogAppendTime")))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> TopicCheck.requireAppendTimes("signs", timestamps("CreateTime")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Topic signs has message.timestamp.type=CreateTime, but presence follows the broker's"
                + " time: kafka-configs.sh --alter --entity-type topics --entity-name signs"
                + " --add-config message.timestamp.type=LogAppendTime");
  }
}
