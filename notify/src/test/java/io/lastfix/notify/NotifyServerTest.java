package io.lastfix.notify;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.kit.kafka.TopicRule;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NotifyServerTest {
  @ParameterizedTest
  @CsvSource({"86400001, true", "-1, true", "'', true", "86400000, false", "1000, false"})
  void kafkaKeepsAlertsForLongerThanTheyAreTried(String retentionMillis, boolean isAccepted) {
    List<TopicRule> rules = NotifyServer.alertsTopic("lastfix.alerts", Duration.ofDays(1)).rules();

    TopicRule rule = rules.get(rules.size() - 1);
    assertThat(rule.accepts().test(retentionMillis)).isEqualTo(isAccepted);
    assertThat(rule.wanted()).isEqualTo("172800000");
  }
}
