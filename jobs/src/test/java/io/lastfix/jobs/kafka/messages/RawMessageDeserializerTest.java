package io.lastfix.jobs.kafka.messages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.parse.HeaderList;
import io.lastfix.parse.MessageHeaders;
import io.lastfix.parse.RawMessage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The arrival time of a message, as far as Kafka keeps it. */
class RawMessageDeserializerTest {
  private static final long NOW = 1_795_176_000_000L;
  private static final long KAFKAS = NOW - 1_000;

  @Test
  void theTimeOfAppendingIsTheBrokers() {
    assertThat(read(TimestampType.LOG_APPEND_TIME, null).arrivalMillis(NOW)).isEqualTo(KAFKAS);
  }

  @Test
  void theTimeOfCreationIsTheProducersAndNotBelieved() {
    assertThat(read(TimestampType.CREATE_TIME, null).arrivalMillis(NOW)).isEqualTo(NOW);
  }

  @Test
  void aReplayedMessageCameWhenItWasRejected() {
    String rejected = Long.toString(KAFKAS - 5);
    assertThat(read(TimestampType.LOG_APPEND_TIME, rejected).arrivalMillis(NOW))
        .isEqualTo(KAFKAS - 5);
    assertThat(read(TimestampType.CREATE_TIME, rejected).arrivalMillis(NOW)).isEqualTo(KAFKAS - 5);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-5", "soon", "9999999999999999999", "1e3", "٣"})
  void aHeaderThatIsNoTimeIsAsGoodAsNone(String header) {
    assertThat(read(TimestampType.LOG_APPEND_TIME, header).arrivalMillis(NOW)).isEqualTo(KAFKAS);
  }

  @Test
  void theHeadersOfAGatewayAreKeptAndNoOthers() throws Exception {
    RecordHeaders sent = new RecordHeaders();
    sent.add("device", "first".getBytes(UTF_8));
    sent.add("reason", "other".getBytes(UTF_8));
    sent.add("auth", "signed".getBytes(UTF_8));
    sent.add("device", "second".getBytes(UTF_8));

    MessageHeaders headers = readSent(TimestampType.CREATE_TIME, sent).headers();

    assertThat(headers.last("device")).asString(UTF_8).isEqualTo("second");
    assertThat(headers.last("speaks-for")).isNull();
    HeaderList expected =
        HeaderList.of(
            List.of("device", "auth"), List.of("second".getBytes(UTF_8), "signed".getBytes(UTF_8)));
    assertThat(HeaderList.of(headers)).isEqualTo(expected);
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    new ObjectOutputStream(written).writeObject(headers);
    assertThat(new ObjectInputStream(new ByteArrayInputStream(written.toByteArray())).readObject())
        .isEqualTo(expected);
  }

  @Test
  void aMessageThatCameThroughNoGatewayHasNoSender() {
    RecordHeaders sent = new RecordHeaders();
    sent.add("device", "d".getBytes(UTF_8));

    assertThat(readSent(TimestampType.CREATE_TIME, sent).headers()).isSameAs(HeaderList.NONE);
  }

  private static RawMessage read(TimestampType type, @Nullable String firstSeen) {
    RecordHeaders headers = new RecordHeaders();
    if (firstSeen != null) {
      headers.add(RawMessageDeserializer.FIRST_SEEN_HEADER, firstSeen.getBytes(UTF_8));
    }
    return readSent(type, headers);
  }

  private static RawMessage readSent(TimestampType type, RecordHeaders headers) {
    List<RawMessage> out = new ArrayList<>();
    new RawMessageDeserializer()
        .deserialize(
            new ConsumerRecord<>(
                "t", 0, 1, KAFKAS, type, -1, 1, null, new byte[] {1}, headers, Optional.empty()),
            new Collector<>() {
              @Override
              public void collect(RawMessage message) {
                out.add(message);
              }

              @Override
              public void close() {}
            });
    assertThat(out).hasSize(1);
    return out.get(0);
  }
}
