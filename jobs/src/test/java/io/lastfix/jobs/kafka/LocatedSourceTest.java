package io.lastfix.jobs.kafka;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.config.OnGap;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.apache.flink.connector.kafka.source.enumerator.AssignmentStatus;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.enumerator.TopicPartitionAndAssignmentStatus;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class LocatedSourceTest {
  private static final LocatedSource SOURCE =
      new LocatedSource(
          LocationJobConfig.load(null, List.of(), variable -> null).kafka(),
          "located",
          "group",
          Duration.ZERO,
          OnGap.CONTINUE);

  private static KafkaSourceEnumState stateOf(String topic) {
    return new KafkaSourceEnumState(
        Set.of(
            new TopicPartitionAndAssignmentStatus(
                new TopicPartition(topic, 0), AssignmentStatus.ASSIGNED)),
        true);
  }

  @Test
  void aSavepointOfAnotherTopicIsRefusedWithWhatToDo() {
    assertThatThrownBy(() -> SOURCE.checkRestored(stateOf("former")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("it read the topic former, and located.topic is located")
        .hasMessageContaining("submit the job without --resume");
  }

  @Test
  void aSavepointOfTheSameTopicIsAccepted() {
    assertThatCode(() -> SOURCE.checkRestored(stateOf("located"))).doesNotThrowAnyException();
  }
}
