package io.lastfix.jobs.kafka.messages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.model.RejectionReason;
import io.lastfix.model.SenderHeaders;
import io.lastfix.parse.HeaderList;
import io.lastfix.parse.RawMessage;
import io.lastfix.parse.RejectedMessage;
import io.lastfix.parse.Rejection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.SimpleRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RejectedRecordSerializerTest {
  private static final byte[] KEY = "key".getBytes(UTF_8);
  private static final byte[] VALUE = {0, (byte) 0xff, 1};

  @Test
  void theBytesStayAsTheyCameAndTheHeadersSayWhyAndWhence() {
    ProducerRecord<byte[], byte[]> record = serialize(KEY, VALUE, 1_000);

    assertThat(record.topic()).isEqualTo("lastfix.rejected");
    assertThat(record.key()).isEqualTo(KEY);
    assertThat(record.value()).isEqualTo(VALUE);
    assertThat(headers(record))
        .containsExactly(
            Map.entry("reason", "bad-value"),
            Map.entry("detail", "record 3: cid"),
            Map.entry("topic", "lastfix.location.json"),
            Map.entry("partition", "7"),
            Map.entry("offset", "12345678901"),
            Map.entry("stage", "parse"),
            Map.entry("records", "2"));
  }

  @Test
  void ofHeadersThatAreTooLongForAGatewayTheSenderStays() {
    byte[] long32KiB = new byte[32 * 1024];
    RejectedMessage rejected = rejected(KEY, VALUE);
    RejectedMessage sent =
        new RejectedMessage(
            rejected
                .message()
                .with(
                    HeaderList.of(
                        List.of("auth", "device"),
                        List.of("signed".getBytes(UTF_8), "d".getBytes(UTF_8)))),
            rejected.rejection(),
            "parse");
    RejectedMessage tooLong =
        new RejectedMessage(
            rejected
                .message()
                .with(
                    HeaderList.of(
                        List.of("auth", "device", "content-type"),
                        List.of("signed".getBytes(UTF_8), "d".getBytes(UTF_8), long32KiB))),
            rejected.rejection(),
            "parse");

    RejectedRecordSerializer serializer =
        new RejectedRecordSerializer("lastfix.rejected", 100_000, () -> 100_000);
    assertThat(headers(serializer.serialize(sent, null, 0L)))
        .containsEntry("auth", "signed")
        .containsEntry("device", "d")
        .containsEntry("reason", rejected.rejection().reason().code());
    assertThat(headers(serializer.serialize(tooLong, null, 0L)))
        .containsEntry("auth", "signed")
        .containsEntry("device", "d")
        .containsEntry("sender-headers-omitted", "32797")
        .doesNotContainKey("content-type");
  }

  @Test
  void aMessageWithoutKeyAndValueStaysWithout() {
    ProducerRecord<byte[], byte[]> record = serialize(null, null, 1_000);

    assertThat(record.key()).isNull();
    assertThat(record.value()).isNull();
  }

  @Test
  void aMessageThatTheTopicCannotTakeLeavesItsBytesOutAndSaysHowMany() {
    ProducerRecord<byte[], byte[]> record = serialize(KEY, new byte[997], 1_000);

    assertThat(record.key()).isNull();
    assertThat(record.value()).isNull();
    assertThat(headers(record))
        .containsEntry("omitted", "1000")
        .containsEntry("offset", "12345678901");
  }

  @Test
  void aMessageOfMoreThan64MebibytesLeavesItsBytesOutWhateverTheTopicTakes() {
    byte[] value = new byte[RejectedMessage.MAX_BYTES - KEY.length];

    assertThat(serialize(KEY, value, KafkaTopics.REJECTED_MESSAGE_BYTES).value()).isSameAs(value);
    assertThat(serialize(KEY, new byte[value.length + 1], Integer.MAX_VALUE).value()).isNull();
  }

  @ParameterizedTest
  @EnumSource(CompressionType.class)
  void whatIsSentFitsIntoTheTopicHoweverItIsCompressed(CompressionType compression) {
    for (int size : List.of(0, 500, 5_000, 70_000, 1_000_000, 9_000_000)) {
      byte[] value = new byte[size];
      new Random(size).nextBytes(value);
      int limit = leastLimit(value);
      ProducerRecord<byte[], byte[]> sent = serialize(KEY, value, limit);

      assertThat(sent.value()).as("%d bytes, limit %d", size, limit).isEqualTo(value);
      assertThat(batchBytes(compression, sent)).isLessThanOrEqualTo(limit);
    }
  }

  /** The smallest limit at which the bytes are sent. */
  private static int leastLimit(byte[] value) {
    int refused = 0;
    int taken = 2 * value.length + 10_000;
    while (taken - refused > 1) {
      int middle = (refused + taken) >>> 1;
      if (serialize(KEY, value, middle).value() == null) {
        refused = middle;
      } else {
        taken = middle;
      }
    }
    return taken;
  }

  /**
   * The size of a producer's batch with one record, which the broker compares with the topic's
   * limit.
   */
  private static int batchBytes(
      CompressionType compression, ProducerRecord<byte[], byte[]> record) {
    return MemoryRecords.withRecords(
            Compression.of(compression).build(),
            new SimpleRecord(1L, record.key(), record.value(), record.headers().toArray()))
        .sizeInBytes();
  }

  @Test
  void aTopicThatTakesLessThanAtTheSubmissionGetsNoMoreThanThat() {
    RejectedRecordSerializer lowered =
        new RejectedRecordSerializer("lastfix.rejected", 10_000, () -> 1_000);
    lowered.open(null, null);

    assertThat(lowered.serialize(rejected(KEY, VALUE), null, 0L).value()).isEqualTo(VALUE);
    assertThat(headers(lowered.serialize(rejected(KEY, new byte[997]), null, 0L)))
        .containsEntry("omitted", "1000");
  }

  @Test
  void whereKafkaDoesNotSayWhatTheTopicTakesThatOfTheSubmissionHolds() {
    RejectedRecordSerializer unanswered =
        new RejectedRecordSerializer(
            "lastfix.rejected",
            10_000,
            () -> {
              throw new IllegalStateException("Kafka does not answer");
            });
    unanswered.open(null, null);

    assertThat(unanswered.serialize(rejected(KEY, new byte[997]), null, 0L).value()).hasSize(997);
  }

  @Test
  void bytesThatWereLeftOutOnTheWayAreTold() {
    RejectedMessage omitted =
        new RejectedMessage(
            new RawMessage(
                "t",
                0,
                1,
                null,
                -1,
                null,
                100_000_000,
                RawMessage.UNKNOWN_TIME,
                RawMessage.UNKNOWN_TIME,
                HeaderList.NONE),
            new Rejection(RejectionReason.MESSAGE_TOO_LARGE, "d"),
            "parse");
    assertThat(
            headers(
                new RejectedRecordSerializer("lastfix.rejected", 1_000, () -> 1_000)
                    .serialize(omitted, null, 0L)))
        .containsEntry("omitted", "100000000");
  }

  @Test
  void theArrivalThatItWasJudgedByIsToldWhereThereWasOne() {
    RejectedMessage judged =
        new RejectedMessage(
            new RawMessage("t", 0, 1, KEY, VALUE).judgedBy(1_754_000_000_000L),
            new Rejection(RejectionReason.TIMESTAMP_AHEAD, "d"),
            "parse");

    assertThat(
            headers(
                new RejectedRecordSerializer("lastfix.rejected", 1_000, () -> 1_000)
                    .serialize(judged, null, 1_754_000_999_000L)))
        .containsEntry("lastfix-first-seen", "1754000000000");
  }

  /** Those of the sender have a row together. */
  @Test
  void theManualHasARowForEachHeader() throws IOException {
    RejectedMessage rejected =
        new RejectedMessage(
            new RawMessage("t", 0, 1, KEY, VALUE)
                .judgedBy(1_754_000_000_000L)
                .with(
                    HeaderList.of(
                        List.of("auth", "content-type"),
                        List.of("signed".getBytes(UTF_8), new byte[32 * 1024]))),
            new Rejection(RejectionReason.BAD_VALUE, "d"),
            "parse");
    Set<String> written =
        new TreeSet<>(
            headers(
                    new RejectedRecordSerializer("lastfix.rejected", 1, () -> 1)
                        .serialize(rejected, null, 0L))
                .keySet());
    String page = Files.readString(Path.of("..", "docs", "reference", "topics.md"));
    String table = page.split("\\| header \\| meaning \\|\n", -1)[1].split("\n\n", -1)[0];
    Set<String> onPage = new TreeSet<>();
    table
        .lines()
        .forEach(
            row ->
                Pattern.compile("`([^`]+)`")
                    .matcher(row.split("\\|", -1)[1])
                    .results()
                    .forEach(name -> onPage.add(name.group(1))));

    assertThat(onPage).containsAll(written);
    onPage.removeAll(written);
    assertThat(onPage).isSubsetOf(SenderHeaders.ALL);
  }

  private static ProducerRecord<byte[], byte[]> serialize(
      byte @Nullable [] key, byte @Nullable [] value, int maxBytes) {
    return new RejectedRecordSerializer("lastfix.rejected", maxBytes, () -> maxBytes)
        .serialize(rejected(key, value), null, 0L);
  }

  private static RejectedMessage rejected(byte @Nullable [] key, byte @Nullable [] value) {
    return new RejectedMessage(
        new RawMessage("lastfix.location.json", 7, 12_345_678_901L, key, value),
        new Rejection(RejectionReason.BAD_VALUE, "record 3: cid", 2),
        "parse");
  }

  private static Map<String, String> headers(ProducerRecord<byte[], byte[]> record) {
    Map<String, String> headers = new LinkedHashMap<>();
    record
        .headers()
        .forEach(header -> headers.put(header.key(), new String(header.value(), UTF_8)));
    return headers;
  }
}
