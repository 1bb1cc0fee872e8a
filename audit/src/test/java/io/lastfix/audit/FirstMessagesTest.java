package io.lastfix.audit;

import static io.lastfix.audit.Messages.HEARD;
import static io.lastfix.audit.Messages.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.audit.FirstMessages.Retention;
import io.lastfix.kit.kafka.ConsumerLag.Range;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class FirstMessagesTest {
  private static final long NOW = HEARD.toEpochMilli();
  private static final long WEEK = Duration.ofDays(7).toMillis();
  private static final String TOPIC = "lastfix.location.json";
  private static final Retention ONE_WEEK = topic -> NOW - WEEK;

  @Test
  void aTopicWhoseBeginningIsThereIsComplete() throws Exception {
    FirstMessages first = of(new Range(0, 5), new Range(0, 0));

    first.see(message(0, "x"));

    assertThat(first.completeFromMillis(ONE_WEEK)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void aTopicIsCompleteFromTheFirstMessageThatIsLeft() throws Exception {
    FirstMessages first = of(new Range(3, 5), new Range(0, 5));

    first.see(message(3, "x"));

    assertThat(first.completeFromMillis(ONE_WEEK)).isEqualTo(HEARD.toEpochMilli());
  }

  @Test
  void anEmptiedPartitionIsCompleteForAsLongAsMessagesAreKept() throws Exception {
    FirstMessages first = of(new Range(0, 5), new Range(5, 5));

    assertThat(first.completeFromMillis(ONE_WEEK)).isEqualTo(NOW - WEEK);
    assertThat(first.completeFromMillis(topic -> FirstMessages.NEVER))
        .isEqualTo(FirstMessages.NEVER);
  }

  @Test
  void onlyWhereTimeAloneDeletesItIsKnownWhatWasDeleted() {
    assertThat(keptFrom("delete", "-1", Long.toString(WEEK))).isEqualTo(NOW - WEEK);
    assertThat(keptFrom("delete", "1000000", Long.toString(WEEK))).isEqualTo(FirstMessages.NEVER);
    assertThat(keptFrom("delete", "-1", "-1")).isEqualTo(FirstMessages.NEVER);
    assertThat(keptFrom("compact,delete", "-1", Long.toString(WEEK)))
        .isEqualTo(FirstMessages.NEVER);
    assertThat(TopicRetention.keptFromMillis(new Config(List.of()), NOW))
        .isEqualTo(FirstMessages.NEVER);
  }

  private static FirstMessages of(Range first, Range second) {
    return new FirstMessages(
        Map.of(new TopicPartition(TOPIC, 0), first, new TopicPartition(TOPIC, 1), second));
  }

  private static long keptFrom(String policy, String bytes, String millis) {
    return TopicRetention.keptFromMillis(
        new Config(
            List.of(
                new ConfigEntry("cleanup.policy", policy),
                new ConfigEntry("retention.bytes", bytes),
                new ConfigEntry("retention.ms", millis))),
        NOW);
  }
}
