package io.lastfix.audit.replay;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.audit.RejectedHeaders;
import io.lastfix.jobs.kafka.messages.RawMessageDeserializer;
import io.lastfix.jobs.kafka.messages.RejectedRecordSerializer;
import io.lastfix.model.RejectionReason;
import io.lastfix.parse.HeaderList;
import io.lastfix.parse.RawMessage;
import io.lastfix.parse.RejectedMessage;
import io.lastfix.parse.Rejection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.util.ListCollector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The arrival time in a replayed message, from rejection to rejection. */
class ReplayRejectedTest {
  private static final String TOPIC = "lastfix.location.json";
  private static final long APPENDED = 1_754_000_000_000L;
  private static final long LAG = 3_600_000;
  private static final byte[] VALUE = "value".getBytes(UTF_8);

  @Test
  void aReplayIsJudgedByTheTimeOfAppendingHoweverLateTheMessageWasRejected() throws Exception {
    RawMessage replayed = replayOf(first(), APPENDED + LAG, 1_000, false);

    assertThat(replayed.arrivalMillis(APPENDED + 2 * LAG)).isEqualTo(APPENDED);
  }

  @Test
  void aReplayThatIsRejectedAndReplayedAgainIsStillJudgedByTheFirstArrival() throws Exception {
    RawMessage once = replayOf(first(), APPENDED + LAG, 1_000, false);
    RawMessage twice = replayOf(once, APPENDED + 3 * LAG, 1_000, false);

    assertThat(twice.arrivalMillis(APPENDED + 4 * LAG)).isEqualTo(APPENDED);
  }

  @Test
  void aMessageWhoseBytesAreAtItsSourceIsJudgedByTheArrivalThatItsRejectionTells()
      throws Exception {
    RawMessage replayed = replayOf(first(), APPENDED + LAG, 0, true);

    assertThat(replayed.value()).isEqualTo(VALUE);
    assertThat(replayed.arrivalMillis(APPENDED + 2 * LAG)).isEqualTo(APPENDED);
  }

  @Test
  void aRejectionThatDoesNotTellTheArrivalCountsByItsOwnTime() throws Exception {
    ConsumerRecord<byte @Nullable [], byte @Nullable []> rejected =
        rejected(first(), APPENDED + LAG, VALUE.length);
    rejected.headers().remove(RawMessageDeserializer.FIRST_SEEN_HEADER);

    assertThat(RejectedHeaders.of(rejected).firstSeenMillis()).isEqualTo(APPENDED + LAG);
  }

  @Test
  void aReplayStillSaysWhoSentTheMessage() throws Exception {
    HeaderList sender =
        HeaderList.of(
            List.of("device", "auth", "speaks-for", "signature"),
            Stream.of("d", "signed", "35*", "lastfix=:AA==:")
                .map(it -> it.getBytes(UTF_8))
                .toList());

    RawMessage once = replayOf(first().with(sender), APPENDED + LAG, 1_000, false);
    RawMessage twice = replayOf(once, APPENDED + 3 * LAG, 1_000, false);

    assertThat(HeaderList.of(twice.headers())).isEqualTo(sender);
  }

  @Test
  void aReplayOfAMessageWithoutASenderHasNone() throws Exception {
    assertThat(replayOf(first(), APPENDED + LAG, 1_000, false).headers()).isSameAs(HeaderList.NONE);
  }

  /** The message in a topic that keeps the time of appending. */
  private static RawMessage first() {
    return new RawMessage(
        TOPIC,
        3,
        42,
        null,
        -1,
        VALUE,
        VALUE.length,
        APPENDED,
        RawMessage.UNKNOWN_TIME,
        HeaderList.NONE);
  }

  /** That message rejected at that time, replayed an hour later, and read by the job. */
  private static RawMessage replayOf(
      RawMessage message, long rejectedAtMillis, int maxBytes, boolean isAtItsSource)
      throws Exception {
    ConsumerRecord<byte @Nullable [], byte @Nullable []> rejected =
        rejected(message, rejectedAtMillis, maxBytes);
    RejectedHeaders headers = RejectedHeaders.of(rejected);
    assertThat(headers.isOmitted()).isEqualTo(isAtItsSource);
    ProducerRecord<byte @Nullable [], byte @Nullable []> again =
        ReplayRejected.again(
            headers,
            isAtItsSource ? new ConsumerRecord<>(TOPIC, 3, 42, null, message.value()) : rejected);
    List<RawMessage> read = new ArrayList<>();
    new RawMessageDeserializer()
        .deserialize(
            consumed(again, rejectedAtMillis + LAG, TimestampType.LOG_APPEND_TIME),
            new ListCollector<>(read));
    assertThat(read).hasSize(1);
    return read.get(0);
  }

  /** The message as the parser rejects it and the job writes it. */
  private static ConsumerRecord<byte @Nullable [], byte @Nullable []> rejected(
      RawMessage message, long rejectedAtMillis, int maxBytes) {
    RejectedMessage rejected =
        new RejectedMessage(
            message.judgedBy(message.arrivalMillis(rejectedAtMillis)),
            new Rejection(RejectionReason.TIMESTAMP_AHEAD, "record 1: ts"),
            "parse");
    return consumed(
        new RejectedRecordSerializer("lastfix.rejected", maxBytes, () -> maxBytes)
            .serialize(rejected, null, rejectedAtMillis),
        rejectedAtMillis,
        TimestampType.CREATE_TIME);
  }

  private static ConsumerRecord<byte @Nullable [], byte @Nullable []> consumed(
      ProducerRecord<byte @Nullable [], byte @Nullable []> sent, long millis, TimestampType type) {
    return new ConsumerRecord<>(
        sent.topic(),
        0,
        7,
        millis,
        type,
        -1,
        sent.value() == null ? -1 : sent.value().length,
        sent.key(),
        sent.value(),
        new RecordHeaders(sent.headers()),
        Optional.empty());
  }
}
