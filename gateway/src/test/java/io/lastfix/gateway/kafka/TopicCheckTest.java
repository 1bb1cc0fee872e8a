package io.lastfix.gateway.kafka;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.gateway.config.KafkaOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopicCheckTest {
  private static TopicCheck check(Map<String, Map<String, String>> topics) {
    return new TopicCheck(
        new ReadOnlyAdmin(topics).admin(),
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
  }

  private static Map<String, String> settings(String policy, int maxBytes) {
    return Map.of(
        "cleanup.policy",
        policy,
        "max.message.bytes",
        Integer.toString(maxBytes),
        "min.insync.replicas",
        "1");
  }

  private static Map<String, String> policy(String policy) {
    return settings(policy, 1_048_588);
  }

  @ParameterizedTest
  @ValueSource(strings = {"compact", "compact,delete"})
  void aCompactedTopicIsRefusedBecauseItKeepsTheLastRecordOfADevice(String policy) {
    TopicCheck check = check(Map.of("of-all", policy("delete"), "of-one", policy(policy)));

    assertThatThrownBy(() -> check.ensure(List.of("of-all", "of-one")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "compacted, so Kafka would delete all records of a device but the last: of-one. Change"
                + " this: kafka-configs.sh --bootstrap-server broker:9092 --alter --entity-type topics"
                + " --entity-name of-one --add-config cleanup.policy=delete");
  }

  @Test
  void aTopicThatKeepsEveryRecordIsAccepted() {
    assertThatCode(() -> check(Map.of("of-all", policy("delete"))).ensure(List.of("of-all")))
        .doesNotThrowAnyException();
  }

  @Test
  void topicsThatWouldRefuseARecordAreRefusedWithTheRemedy() {
    TopicCheck check =
        check(Map.of("small", settings("delete", 21_479), "large", settings("delete", 21_480)));

    assertThatThrownBy(() -> check.ensure(List.of("small", "large")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "limits.max-bytes needs topics with max.message.bytes of 21480 or more; too small:"
                + " small (21479). Lower limits.max-bytes, or raise it: kafka-configs.sh"
                + " --bootstrap-server broker:9092 --alter --entity-type topics --entity-name small"
                + " --add-config max.message.bytes=21480");
  }

  @Test
  void missingTopicsAreNamedIfTheyMayNotBeCreated() {
    assertThatThrownBy(() -> check(Map.of()).ensure(List.of("one", "two")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Kafka has no topic one, two. Create them, or set kafka.create-topics: true. Kafka"
                + " hides a topic from a user without Describe on it: grant that if the topic"
                + " exists");
    assertThatThrownBy(() -> check(Map.of()).ensureAppendTimes("signs"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Kafka has no topic signs. Create it with message.timestamp.type=LogAppendTime, or set"
                + " kafka.create-topics: true. Kafka hides a topic from a user without Describe on"
                + " it: grant that if the topic exists");
  }

  private static Map<String, Map<String, String>> signs(String timestamps) {
    return Map.of(
        "signs", Map.of("cleanup.policy", "delete", "message.timestamp.type", timestamps));
  }

  @Test
  void aTopicOfHeartbeatsWithTheProducersTimesIsRefusedWithTheRemedy() {
    assertThatCode(() -> check(signs("LogAppendTime")).ensureAppendTimes("signs"))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> check(signs("CreateTime")).ensureAppendTimes("signs"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "Topic signs has message.timestamp.type=CreateTime, but presence follows the broker's"
                + " time: kafka-configs.sh --bootstrap-server broker:9092 --alter --entity-type topics"
                + " --entity-name signs --add-config message.timestamp.type=LogAppendTime");
  }
}
