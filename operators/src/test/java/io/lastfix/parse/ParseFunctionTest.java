package io.lastfix.parse;

import static io.lastfix.parse.Messages.JSON;
import static io.lastfix.parse.Messages.RECORD;
import static io.lastfix.parse.Messages.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.LocationRecord;
import io.lastfix.model.RejectionReason;
import io.lastfix.serialization.LocationRecordSerializer;
import io.lastfix.store.erasure.PseudonymKey;
import io.lastfix.store.erasure.UserNames;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ParseFunctionTest {
  private static final byte[] KEY = utf8("key");

  private OneInputStreamOperatorTestHarness<RawMessage, LocationRecord> harness;

  @BeforeEach
  void open() throws Exception {
    harness =
        started(
            new ParseFunction(
                Map.of("phones", Decoded.profile("json"), "probes", Decoded.profile("arcanum")),
                DecoderLimits.defaults(),
                TimestampLimits.defaults()));
    harness.setProcessingTime(Messages.NOW);
  }

  private static OneInputStreamOperatorTestHarness<RawMessage, LocationRecord> started(
      ParseFunction function) throws Exception {
    OneInputStreamOperatorTestHarness<RawMessage, LocationRecord> started =
        new OneInputStreamOperatorTestHarness<>(new ProcessOperator<>(function));
    started.setup(new LocationRecordSerializer());
    started.open();
    return started;
  }

  @AfterEach
  void close() throws Exception {
    harness.close();
  }

  private static RawMessage message(String topic, byte @Nullable [] value) {
    return new RawMessage(topic, 3, 42, KEY, value);
  }

  private List<RejectedMessage> rejected() {
    ConcurrentLinkedQueue<StreamRecord<RejectedMessage>> output =
        harness.getSideOutput(ParseFunction.REJECTED);
    return output == null ? List.of() : output.stream().map(StreamRecord::getValue).toList();
  }

  @Test
  void aRecordWithoutACellGoesOnAtItsPosition() throws Exception {
    harness.processElement(message("phones", utf8(Messages.JSON_POSITION)), 7);
    assertThat(harness.extractOutputValues())
        .extracting(record -> String.valueOf(record.cell()))
        .containsExactly("null");
    assertThat(harness.getSideOutput(ParseFunction.REJECTED)).isNull();
  }

  @Test
  void theTopicDecidesByWhichProfileAMessageIsRead() throws Exception {
    harness.processElement(message("phones", utf8(JSON)), 7);
    harness.processElement(message("probes", utf8(Messages.ARCANUM)), 8);
    assertThat(harness.getOutput())
        .hasToString(
            List.of(new StreamRecord<>(RECORD, 7), new StreamRecord<>(RECORD, 8)).toString());
    assertThat(rejected()).isEmpty();
  }

  /** A message of one record whose device's clock is an hour ahead. */
  private static RawMessage hourAhead(long appendTimeMillis, long firstSeenMillis) {
    byte[] value =
        utf8(
            "{\"user\":\"a\",\"cell\":\"310-4-0-7\",\"ts\":%d}"
                .formatted(Messages.NOW + 3_600_000));
    return new RawMessage(
        "phones", 3, 42, null, -1, value, value.length, appendTimeMillis, firstSeenMillis);
  }

  @Test
  void whatWasTooFarAheadWhenTheBrokerGotItIsSoWheneverItIsRead() throws Exception {
    RawMessage message = hourAhead(Messages.NOW, RawMessage.UNKNOWN_TIME);

    harness.processElement(message, 7);
    harness.setProcessingTime(Messages.NOW + 86_400_000);
    harness.processElement(message, 7);

    assertThat(harness.extractOutputValues()).isEmpty();
    assertThat(rejected())
        .extracting(rejected -> rejected.rejection().reason())
        .containsExactly(RejectionReason.TIMESTAMP_AHEAD, RejectionReason.TIMESTAMP_AHEAD);
  }

  @Test
  void withoutTheTimeOfAppendingTheClockDecides() throws Exception {
    RawMessage message = hourAhead(RawMessage.UNKNOWN_TIME, RawMessage.UNKNOWN_TIME);

    harness.processElement(message, 7);
    harness.setProcessingTime(Messages.NOW + 3_600_000);
    harness.processElement(message, 7);

    assertThat(harness.extractOutputValues()).hasSize(1);
    assertThat(rejected()).hasSize(1);
  }

  @Test
  void aReplayedMessageIsJudgedByWhenItWasRejectedFirst() throws Exception {
    harness.setProcessingTime(Messages.NOW + 86_400_000);

    harness.processElement(hourAhead(RawMessage.UNKNOWN_TIME, Messages.NOW), 7);
    harness.processElement(hourAhead(Messages.NOW + 86_400_000, Messages.NOW), 7);

    assertThat(harness.extractOutputValues()).isEmpty();
    assertThat(rejected()).hasSize(2);
  }

  @Test
  void aRejectedMessageHasTheArrivalThatItWasJudgedBy() throws Exception {
    harness.setProcessingTime(Messages.NOW + 3_600_000);

    harness.processElement(hourAhead(Messages.NOW, RawMessage.UNKNOWN_TIME), 7);
    harness.processElement(hourAhead(Messages.NOW + 86_400_000, Messages.NOW), 7);

    assertThat(rejected())
        .extracting(rejected -> rejected.message().firstSeenMillis())
        .containsExactly(Messages.NOW, Messages.NOW);
  }

  @Test
  void aForgedTimeOfTheFirstRejectionMakesNothingBelievable() throws Exception {
    harness.processElement(hourAhead(RawMessage.UNKNOWN_TIME, Messages.NOW + 86_400_000), 7);
    harness.processElement(hourAhead(Messages.NOW, Messages.NOW + 86_400_000), 7);

    assertThat(harness.extractOutputValues()).isEmpty();
    assertThat(rejected()).hasSize(2);
  }

  @Test
  void aBadRecordGoesToTheSideOutputWithTheWholeMessageAndTheGoodOneGoesOn() throws Exception {
    RawMessage message = message("phones", utf8(JSON + "\n{\"user\":\"a\"}"));
    harness.processElement(message, 7);
    assertThat(harness.extractOutputValues()).containsExactly(RECORD);
    assertThat(rejected())
        .containsExactly(
            new RejectedMessage(
                message.judgedBy(Messages.NOW),
                new Rejection(
                    RejectionReason.MISSING_FIELD,
                    "record 2: one of cell/cid, cell, position/lon: missing"),
                "parse"));
  }

  @Test
  void aTombstoneIsRejected() throws Exception {
    harness.processElement(message("phones", null), 7);
    assertThat(rejected())
        .extracting(rejected -> rejected.rejection().detail())
        .containsExactly("the message is empty");
  }

  @Test
  void aMessageWhoseValueWasLeftOutIsTooLargeAsItWouldBeWithIt() throws Exception {
    RawMessage whole = message("phones", new byte[DecoderLimits.defaults().maxMessageBytes() + 1]);
    harness.processElement(whole, 7);
    harness.processElement(whole.keeping(true, false), 8);

    assertThat(harness.extractOutputValues()).isEmpty();
    assertThat(rejected())
        .extracting(RejectedMessage::rejection)
        .hasSize(2)
        .containsOnly(
            new Rejection(
                RejectionReason.MESSAGE_TOO_LARGE,
                "expected at most 1048576 bytes, found 1048577"));
  }

  @Test
  void aMessageWhoseKeyWasLeftOutIsReadAsIfItWereThere() throws Exception {
    harness.processElement(message("phones", utf8(JSON)).keeping(false, true), 7);

    assertThat(harness.extractOutputValues()).containsExactly(RECORD);
  }

  @Test
  void theClockIsProcessingTime() throws Exception {
    harness.setProcessingTime(RECORD.timestampMillis() - 5 * 60_000 - 1);
    harness.processElement(message("phones", utf8(JSON)), 7);
    harness.setProcessingTime(RECORD.timestampMillis() - 5 * 60_000);
    harness.processElement(message("phones", utf8(JSON)), 8);
    assertThat(harness.extractOutputValues()).containsExactly(RECORD);
    assertThat(rejected())
        .extracting(rejected -> rejected.rejection().reason())
        .containsExactly(RejectionReason.TIMESTAMP_AHEAD);
  }

  @Test
  void withAKeyTheUserIsAPseudonymAndARejectedMessageIsUntouched() throws Exception {
    PseudonymKey key = new PseudonymKey("0123456789abcdef");
    harness.close();
    harness =
        started(
            new ParseFunction(
                Map.of("phones", Decoded.profile("json")),
                DecoderLimits.defaults(),
                TimestampLimits.defaults(),
                true,
                key,
                null));
    harness.setProcessingTime(Messages.NOW);
    RawMessage message = message("phones", utf8(JSON + "\n{\"user\":\"a\"}"));
    harness.processElement(message, 7);

    assertThat(harness.extractOutputValues())
        .containsExactly(RECORD.withUser(UserNames.of(key).storedAs(RECORD.user())));
    assertThat(rejected())
        .extracting(RejectedMessage::message)
        .containsExactly(message.judgedBy(Messages.NOW));
  }

  @Test
  void aTopicWithoutAProfileFailsTheJobAndSaysWhere() {
    assertThatThrownBy(() -> harness.processElement(message("others", utf8(JSON)), 7))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("No profile for topic others, partition 3, offset 42");
  }

  @Test
  void theTypesAreSerializedByTheirOwnSerializers() {
    assertThat(
            TypeInformation.of(RawMessage.class)
                .createSerializer(harness.getExecutionConfig().getSerializerConfig()))
        .isInstanceOf(RawMessageSerializer.class);
    assertThat(
            TypeInformation.of(RejectedMessage.class)
                .createSerializer(harness.getExecutionConfig().getSerializerConfig()))
        .isInstanceOf(RejectedMessageSerializer.class);
    assertThat(ParseFunction.REJECTED.getTypeInfo())
        .isEqualTo(TypeInformation.of(RejectedMessage.class));
  }
}
