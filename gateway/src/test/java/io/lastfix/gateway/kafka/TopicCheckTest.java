package io.lastfix.gateway.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.gateway.config.KafkaOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicCheckTest {
  private static final TopicCheck CHECK =
      new TopicCheck(
          null,
          new KafkaOptions(
              "broker:9092",
              "lastfix.location.",
              false,
              1,
              (short) 1,
              Duration.ofSeconds(1),
              Duration.ofSeconds(1),
              Map.of()),
          1000);

  private static Config policy(String policy) {
    return new Config(List.of(new ConfigEntry("cleanup.policy", policy)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"compact", "compact,delete"})
  void aCompactedTopicIsRefusedBecauseItKeepsTheLastRecordOfADevice(String policy) {
    assertThatThrownBy(
            () ->
                CHECK.requireNotCompacted(
                    Map.of("of-all", policy("delete"), "of-one", policy(policy))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "compacted, so Kafka would delete all records of a device but the last: of-one. Change"
                + " this: kafka-configs.sh --bootstrap-server broker:9092 --alter --entity-type topics"
                + " --entity-name of-one --add-config cleanup.policy=delete");
  }

  @Test
  void aTopicsSettingIsChangedByALineForAShell() {
    assertThat(TopicSetting.change("b1:9092,b2:9092", List.of("one", "two"), "a", "1"))
        .isEqualTo(
            "kafka-configs.sh --bootstrap-server b1:9092,b2:9092 --alter --entity-type topics"
                + " --entity-name one --add-config a=1"
                + " && kafka-configs.sh --bootstrap-server b1:9092,b2:9092 --alter --entity-type topics"
                + " --entity-name two --add-config a=1");
  }

  @Test
  void aTopicThatKeepsEveryRecordIsAccepted() {
    assertThatCode(() -> CHECK.requireNotCompacted(Map.of("of-all", policy("delete"))))
        .doesNotThrowAnyException();
  }

  private static Config timestamps(String type) {
    return new Config(List.of(new ConfigEntry("message.timestamp.type", type)));
  }

  @Test
  void aTopicOfHeartbeatsWithTheProducersTimesIsRefusedWithTheRemedy() {
    assertThatCode(() -> CHECK.requireAppendTimes("signs", timestamps("LogAppendTime")))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> CHECK.requireAppendTimes("signs", timestamps("CreateTime")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Topic signs has message.timestamp.type=CreateTime, but presence follows the broker's"
                + " time: kafka-configs.sh --bootstrap-server broker:9092 --alter --entity-type topics"
                + " --entity-name signs --add-config message.timestamp.type=LogAppendTime");
  }
}
