package io.lastfix.operate.rules;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.cluster.StackException;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.rules.alert.AlertCodec;
import io.lastfix.store.alerts.Acknowledgement;
import io.lastfix.store.alerts.AlertQueries.Selection;
import io.lastfix.store.alerts.StoredAlert;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetResetStrategy;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Alerts as they come, and the rows that they become. */
class AlertFollowerTest {
  private static final String TOPIC = "lastfix.alerts";
  private static final TopicPartition PARTITION = new TopicPartition(TOPIC, 0);
  private static final long AT = Instant.parse("2026-11-20T12:00:00Z").toEpochMilli();
  private static final Alert ANNAS = alert("anna", "left");
  private static final Alert BENS = alert("ben", "left");

  private final MockConsumer<byte @Nullable [], byte @Nullable []> consumer =
      new MockConsumer<>(OffsetResetStrategy.LATEST);
  private final List<String> rows = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();

  private static Alert alert(String user, String rule) {
    return new Alert(
        user,
        AT,
        rule,
        2,
        Alert.Kind.EXPR,
        AT,
        null,
        Alert.Cause.RECORD,
        new Position(-122.4, 37.7),
        null,
        PositionSource.CELL,
        null,
        1,
        0,
        List.of(
            new Action(Action.Kind.WEBHOOK, "dispatch"), new Action(Action.Kind.MQTT, "fleet/a")));
  }

  private AlertFollower follower() {
    consumer.updatePartitions(
        TOPIC, List.of(new PartitionInfo(TOPIC, 0, null, new Node[0], new Node[0])));
    // What was written before is not read.
    consumer.updateEndOffsets(Map.of(PARTITION, 7L));
    return new AlertFollower(consumer, TOPIC);
  }

  private void add(long offset, byte[] value) {
    consumer.addRecord(new ConsumerRecord<>(TOPIC, 0, offset, "key".getBytes(UTF_8), value));
  }

  private void follow(AlertFollower follower, Selection selection, int polls) throws IOException {
    int[] left = {polls};
    follower.follow(
        selection,
        true,
        row -> row.rows().forEach(it -> rows.add(it.toString())),
        skipped::add,
        () -> left[0]-- > 0);
  }

  @Test
  void onlyWhatComesIsPassedOn_AndWhatCannotBeReadIsNamed() throws IOException {
    try (AlertFollower follower = follower()) {
      add(7, AlertCodec.value(ANNAS));
      add(8, "{".getBytes(UTF_8));
      add(9, AlertCodec.value(BENS));

      follow(follower, new Selection(null, null), 1);
    }

    assertThat(rows)
        .containsExactly(AlertCodec.json(ANNAS).toString(), AlertCodec.json(BENS).toString());
    assertThat(skipped)
        .containsExactly(
            "A message of lastfix.alerts is skipped: partition 0, offset 8: the value is no JSON");
    assertThat(consumer.closed()).isTrue();
  }

  @Test
  void onlySelectedOnesArePassedOn() throws IOException {
    Alert other = alert("ben", "fast");
    try (AlertFollower follower = follower()) {
      add(7, AlertCodec.value(ANNAS));
      add(8, AlertCodec.value(BENS));
      add(9, AlertCodec.value(other));

      follow(follower, new Selection("left", "ben"), 1);
    }

    assertThat(rows).containsExactly(AlertCodec.json(BENS).toString());
  }

  @Test
  void aTopicThatDoesNotExistIsNamed() {
    assertThatThrownBy(() -> new AlertFollower(consumer, TOPIC))
        .isInstanceOf(StackException.class)
        .hasMessage(
            "there is no topic lastfix.alerts, so no alert can come: lastfix submit rules creates"
                + " it");
    assertThat(consumer.closed()).isTrue();
  }

  @Test
  void aFailureOfKafkaEndsIt() {
    try (AlertFollower follower = follower()) {
      consumer.setPollException(new KafkaException("not authorized"));

      assertThatThrownBy(() -> follow(follower, new Selection(null, null), 1))
          .isInstanceOf(IOException.class)
          .hasMessage("Kafka: not authorized");
    }
  }

  @Test
  void aRowOfATableHasNoNesting_AndOneOfJsonIsTheMessageWithItsAcknowledgement() {
    StoredAlert stored =
        new StoredAlert(
            ANNAS,
            Optional.of(new Acknowledgement(Instant.parse("2026-11-20T12:05:00Z"), "carl", null)));

    assertThat(AlertRows.row(stored, true).toString())
        .isEqualTo(
            AlertCodec.json(ANNAS).toString().replaceFirst("}$", "")
                + ",\"ack\":{\"at\":\"2026-11-20T12:05:00Z\",\"by\":\"carl\"}}");
    assertThat(AlertRows.row(stored, false).toString())
        .contains("\"lon\":-122.4,\"lat\":37.7", "\"then\":\"webhook dispatch, mqtt fleet/a\"")
        .contains("\"ackAt\":\"2026-11-20T12:05:00Z\",\"ackBy\":\"carl\"")
        .doesNotContain("\"loc\"");
    assertThat(AlertRows.SHORT).as("when it counted, too").contains("confirmed");
    List<String> fields = new ArrayList<>(AlertRows.SHORT);
    fields.addAll(AlertRows.FURTHER);
    assertThat(AlertRows.row(stored, false).fieldNames()).toIterable().isSubsetOf(fields);
  }
}
