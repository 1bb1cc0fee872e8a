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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.typeutils.runtime.PojoSerializer;
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
                DefaultLimits.DECODER,
                DefaultLimits.TIMESTAMP,
                Map.of(),
                null,
                null));
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
        "phones",
        3,
        42,
        null,
        -1,
        value,
        value.length,
        appendTimeMillis,
        firstSeenMillis,
        HeaderList.NONE);
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
    RawMessage whole = message("phones", new byte[DefaultLimits.DECODER.maxMessageBytes() + 1]);
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
                DefaultLimits.DECODER,
                DefaultLimits.TIMESTAMP,
                Map.of(),
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

  private static final String DEVICE = "00112233445566778899aabbccddeeff";

  /** A message with records of the device, of a user of its group, and of somebody else. */
  private static final String THREE_USERS =
      Stream.of(DEVICE, "350000000007919", "somebody")
          .map("{\"user\":\"%s\",\"cell\":\"310-4-0-7\",\"ts\":1795176001001}"::formatted)
          .collect(Collectors.joining("\n"));

  private void checkUsersOf(String topic, UserRule rule) throws Exception {
    harness.close();
    harness =
        started(
            new ParseFunction(
                Map.of("phones", Decoded.profile("json"), "probes", Decoded.profile("json")),
                DefaultLimits.DECODER,
                DefaultLimits.TIMESTAMP,
                Map.of(topic, rule),
                null,
                null));
    harness.setProcessingTime(Messages.NOW);
  }

  private static RawMessage from(String auth, String... more) {
    List<String> names = new ArrayList<>(List.of("auth"));
    List<byte[]> values = new ArrayList<>(List.of(utf8(auth)));
    for (int i = 0; i < more.length; i += 2) {
      names.add(more[i]);
      values.add(utf8(more[i + 1]));
    }
    return message("phones", utf8(THREE_USERS)).with(HeaderList.of(names, values));
  }

  private List<String> users() {
    return harness.extractOutputValues().stream().map(LocationRecord::user).toList();
  }

  @Test
  void aRecordOfNeitherTheDeviceNorItsGroupsUsersIsRejected() throws Exception {
    checkUsersOf("phones", UserRule.PROVED);
    RawMessage message = from("signed", "device", DEVICE, "speaks-for", "7* 35*");

    harness.processElement(message, 7);

    assertThat(users()).containsExactly(DEVICE, "350000000007919");
    assertThat(rejected())
        .containsExactly(
            new RejectedMessage(
                message.judgedBy(Messages.NOW),
                new Rejection(
                    RejectionReason.NOT_ITS_USER,
                    "record 3: user: expected the device that sent the message, or a user that its"
                        + " group may speak for"),
                ParseFunction.STAGE));
  }

  @Test
  void aSenderWhoseGroupSpeaksForNobodyMaySendItsOwnRecordsOnly() throws Exception {
    checkUsersOf("phones", UserRule.PROVED);

    harness.processElement(from("signed", "device", DEVICE), 7);
    harness.processElement(from("basic", "device", "somebody"), 8);

    assertThat(users()).containsExactly(DEVICE, "somebody");
    assertThat(rejected()).hasSize(4);
  }

  @Test
  void aSendersGroupSpeaksForNobodyOfTheMessageBefore() throws Exception {
    checkUsersOf("phones", UserRule.PROVED);

    harness.processElement(from("signed", "device", DEVICE, "speaks-for", "*"), 7);
    harness.processElement(from("signed", "device", DEVICE), 8);
    harness.processElement(from("signed", "device", "somebody", "speaks-for", "35 *"), 9);
    harness.processElement(from("signed", "device", "somebody", "speaks-for", "3*5 *"), 10);

    assertThat(users())
        .containsExactly(
            DEVICE,
            "350000000007919",
            "somebody", // of the first message
            DEVICE, // of the second
            DEVICE,
            "350000000007919",
            "somebody", // of the third
            "somebody"); // of the fourth, whose header is no list of patterns
  }

  @Test
  void aMessageWithoutAProvedSenderMayHaveRecordsOfAnyoneUnlessAllSendersAreRequired()
      throws Exception {
    List<RawMessage> messages =
        List.of(
            message("phones", utf8(THREE_USERS)),
            from("unsigned", "device", DEVICE, "speaks-for", "*"),
            from("Signed", "device", DEVICE, "speaks-for", "*"),
            from("signed", "speaks-for", "*"));
    checkUsersOf("phones", UserRule.PROVED);
    for (RawMessage message : messages) {
      harness.processElement(message, 7);
    }
    assertThat(users()).hasSize(12);

    checkUsersOf("phones", UserRule.ALL);
    for (RawMessage message : messages) {
      harness.processElement(message, 7);
    }
    harness.processElement(from("signed", "device", DEVICE), 7);

    assertThat(users()).containsExactly(DEVICE);
    assertThat(rejected())
        .hasSize(14)
        .extracting(rejected -> rejected.rejection().reason())
        .containsOnly(RejectionReason.NOT_ITS_USER);
  }

  @Test
  void aTopicWithoutARuleAcceptsRecordsOfAnyone() throws Exception {
    checkUsersOf("probes", UserRule.ALL);
    harness.processElement(from("signed", "device", DEVICE), 7);
    harness.processElement(message("phones", utf8(THREE_USERS)), 7);
    assertThat(users()).hasSize(6);

    checkUsersOf("phones", UserRule.OFF);
    harness.processElement(from("signed", "device", DEVICE), 7);
    assertThat(users()).hasSize(3);
  }

  @Test
  void theUserIsComparedBeforeItBecomesAPseudonym() throws Exception {
    PseudonymKey key = new PseudonymKey("0123456789abcdef");
    harness.close();
    harness =
        started(
            new ParseFunction(
                Map.of("phones", Decoded.profile("json")),
                DefaultLimits.DECODER,
                DefaultLimits.TIMESTAMP,
                Map.of("phones", UserRule.ALL),
                key,
                null));
    harness.setProcessingTime(Messages.NOW);
    harness.processElement(from("signed", "device", DEVICE), 7);

    assertThat(users()).containsExactly(UserNames.of(key).storedAs(DEVICE));
  }

  @Test
  void aRecordOfSomebodyElseUsesNoBudgetOfPartitions() throws Exception {
    AtomicInteger queries = new AtomicInteger();
    SenderCheck senders = new SenderCheck(UserRule.ALL);
    senders.sender(from("signed", "device", DEVICE).headers());
    RecordDecoder decoder =
        RecordDecoder.of(
            Decoded.profile("json"),
            DefaultLimits.DECODER,
            DefaultLimits.TIMESTAMP,
            (timestamp, now) -> {
              queries.incrementAndGet();
              return null;
            },
            () -> Messages.NOW,
            senders);

    Decoded.of(decoder, THREE_USERS);

    assertThat(queries).hasValue(1);
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
        .isInstanceOf(PojoSerializer.class);
    assertThat(ParseFunction.REJECTED.getTypeInfo())
        .isEqualTo(TypeInformation.of(RejectedMessage.class));
  }
}
