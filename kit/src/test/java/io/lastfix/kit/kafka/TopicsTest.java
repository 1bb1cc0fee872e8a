package io.lastfix.kit.kafka;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Test;

class TopicsTest {
  private static final TopicRule COMPACTED =
      TopicRule.exactly(
          "cleanup.policy", "compact", "%1$s: %2$s is %3$s, but messages have to stay: %4$s");
  private static final TopicRule LARGE =
      TopicRule.atLeast("max.message.bytes", 1000, "too small: %5$s: %4$s");

  private final Topics topics = new Topics(unused(), "b1:9092,b2:9092", Duration.ofSeconds(1));

  /** Checking settings asks Kafka nothing. */
  private static Admin unused() {
    return (Admin)
        Proxy.newProxyInstance(
            Admin.class.getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, method, arguments) -> {
              throw new AssertionError(method.getName());
            });
  }

  private static Map<String, String> settings(String policy, int bytes) {
    return Map.of("cleanup.policy", policy, "max.message.bytes", Integer.toString(bytes));
  }

  @Test
  void topicsThatKeepTheirRulesAreAccepted() {
    assertThatCode(
            () ->
                topics.requireRules(
                    List.of(WantedTopic.checked("one", COMPACTED, LARGE), WantedTopic.plain("two")),
                    Map.of("one", settings("compact", 1000), "two", settings("delete", 1))))
        .doesNotThrowAnyException();
  }

  @Test
  void theTopicsThatBreakARuleAreNamedWithALineForAShellThatChangesAll() {
    List<WantedTopic> wanted =
        List.of(
            WantedTopic.checked("two", LARGE),
            WantedTopic.checked("one", LARGE),
            WantedTopic.checked("large", LARGE));

    assertThatThrownBy(
            () ->
                topics.requireRules(
                    wanted,
                    Map.of(
                        "one", settings("delete", 10),
                        "two", settings("delete", 999),
                        "large", settings("delete", 1001))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "too small: one (10), two (999): kafka-configs.sh --bootstrap-server b1:9092,b2:9092"
                + " --alter --entity-type topics --entity-name one --add-config"
                + " max.message.bytes=1000 && kafka-configs.sh --bootstrap-server b1:9092,b2:9092"
                + " --alter --entity-type topics --entity-name two --add-config"
                + " max.message.bytes=1000");
  }

  @Test
  void theFirstBrokenRuleIsToldAndASettingThatTheBrokerDoesNotKnowIsEmpty() {
    assertThatThrownBy(
            () ->
                topics.requireRules(
                    List.of(WantedTopic.checked("one", COMPACTED, LARGE)),
                    Map.of("one", Map.of("max.message.bytes", "1"))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "one: cleanup.policy is , but messages have to stay: kafka-configs.sh"
                + " --bootstrap-server b1:9092,b2:9092 --alter --entity-type topics --entity-name"
                + " one --add-config cleanup.policy=compact");
  }
}
