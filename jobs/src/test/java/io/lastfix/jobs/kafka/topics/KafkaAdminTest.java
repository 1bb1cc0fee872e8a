package io.lastfix.jobs.kafka.topics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.kit.kafka.KafkaRequestException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.DescribeTopicsResult;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

class KafkaAdminTest {
  private static final String TOPIC = "lastfix.rules";

  @Test
  void aTopicThatDoesNotExistHasNoPartitions() throws IOException {
    assertThat(KafkaAdmin.ranges(refusing(new UnknownTopicOrPartitionException()), TOPIC))
        .isEmpty();
  }

  /** As a broker answers, whether the topic exists or not. */
  @Test
  void oneThatTheUserMayNotDescribeIsNotTakenForAbsent() {
    Admin admin = refusing(new TopicAuthorizationException(Set.of(TOPIC)));

    assertThatThrownBy(() -> KafkaAdmin.ranges(admin, TOPIC))
        .isInstanceOf(KafkaRequestException.class)
        .hasMessage("Kafka: Not authorized to access topics: [lastfix.rules]");
  }

  /** Refuses to describe the topic, and has no other answer. */
  private static Admin refusing(Exception failure) {
    KafkaFutureImpl<TopicDescription> answer = new KafkaFutureImpl<>();
    answer.completeExceptionally(failure);
    return (Admin)
        Proxy.newProxyInstance(
            Admin.class.getClassLoader(),
            new Class<?>[] {Admin.class},
            (proxy, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("describeTopics");
              return new DescribeTopicsResult(null, Map.of(TOPIC, answer)) {};
            });
  }
}
