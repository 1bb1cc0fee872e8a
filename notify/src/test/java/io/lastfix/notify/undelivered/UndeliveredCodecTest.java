package io.lastfix.notify.undelivered;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.kit.kafka.UnreadableMessageException;
import io.lastfix.model.alert.Action;
import io.lastfix.notify.TestAlert;
import io.lastfix.rules.alert.AlertCodec;
import java.time.Instant;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UndeliveredCodecTest {
  private static final UndeliveredAlert UNDELIVERED =
      new UndeliveredAlert(
          TestAlert.of("ashgati").then(TestAlert.DISPATCH, TestAlert.CRITICAL).alert(),
          TestAlert.CRITICAL,
          "the answer was 400",
          3,
          Instant.parse("2026-11-21T12:00:00Z"));

  private static final String JSON =
      """
      {"alert":{"id":"%s","user":"ashgati","rule":"left-airport","v":1,"kind":"left",\
      "at":"2026-11-20T12:00:00Z","confirmed":"2026-11-20T12:00:00Z","fence":"sfo",\
      "cause":"record","loc":{"lon":-122.4,"lat":37.7},"src":"cell","certainty":0.9,"counted":0,\
      "then":[{"webhook":"dispatch"},{"alertmanager":"critical"}]},\
      "receiver":{"alertmanager":"critical"},"reason":"the answer was 400","attempts":3,\
      "at":"2026-11-21T12:00:00Z"}"""
          .formatted(AlertCodec.id(UNDELIVERED.alert()));

  @Test
  void aMessageHasTheAlertItsReceiverAndTheReason() {
    assertThat(new String(UndeliveredCodec.value(UNDELIVERED), UTF_8)).isEqualTo(JSON);
    assertThat(new String(UndeliveredCodec.key(UNDELIVERED), UTF_8)).isEqualTo("ashgati");
  }

  @Test
  void whatIsWrittenIsReadAgain() throws UnreadableMessageException {
    assertThat(UndeliveredCodec.read(UndeliveredCodec.value(UNDELIVERED)))
        .containsExactly(UNDELIVERED);
  }

  @Test
  void aMessageThatAnEarlierReleaseCouldNotRead_IsAnAlertForEachReceiver() throws Exception {
    Instant at = Instant.parse("2026-11-21T12:00:00Z");
    byte[] value =
        UndeliveredCodec.value(
            new UndeliveredMessage(
                3, 17, AlertCodec.value(UNDELIVERED.alert()), "kind has an unknown text", at));

    assertThat(new String(value, UTF_8))
        .startsWith("{\"message\":\"eyJpZCI6")
        .endsWith(
            "\",\"partition\":3,\"offset\":17,\"reason\":\"kind has an unknown text\","
                + "\"at\":\"2026-11-21T12:00:00Z\"}");
    assertThat(UndeliveredCodec.read(value))
        .extracting(UndeliveredAlert::receiver)
        .containsExactly(TestAlert.DISPATCH, TestAlert.CRITICAL);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "x                                  | the value is no JSON",
        "{}                                 | its alert: the value has no text user",
        "{\"message\":\"e30=\"}             | its alert: the value has no text user",
        "{\"message\":7}                    | its alert: it has no value",
        "\"user\":\"ashgati\" -> \"user\":7 | its alert: the value has no text user",
        "\"alertmanager\":\"critical\"},\"reason\" -> \"mail\":\"a\"},\"reason\" | it has no receiver of a known kind",
        "\"2026-11-21T12:00:00Z\" -> \"soon\" | at is no instant"
      })
  void whatCannotBeReadIsNamedWithoutItsContent(String change, String message) {
    String[] parts = change.split(" -> ", 2);
    String json = parts.length == 1 ? change : JSON.replace(parts[0], parts[1]);

    assertThatThrownBy(() -> UndeliveredCodec.read(json.getBytes(UTF_8)))
        .isInstanceOf(UnreadableMessageException.class)
        .hasMessage(message);
  }

  @Test
  void aReceiverHasTheNameOfItsGroup() {
    assertThat(UNDELIVERED.receiverName()).isEqualTo("alertmanager");
    assertThat(
            new UndeliveredAlert(UNDELIVERED.alert(), TestAlert.DISPATCH, "", 0, Instant.EPOCH)
                .receiverName())
        .isEqualTo("webhook-dispatch");
    assertThat(UNDELIVERED.line())
        .isEqualTo(
            "2026-11-21T12:00:00Z ashgati, rule left-airport, alertmanager: the answer was 400");
  }

  @Test
  void aLineIsPrintableAndShort() {
    assertThat(
            new UndeliveredAlert(
                    TestAlert.of("a\u001b[2J\nb").alert(),
                    new Action(Action.Kind.WEBHOOK, "c\u009bd"),
                    "x".repeat(201),
                    0,
                    Instant.EPOCH)
                .line())
        .isEqualTo(
            "1970-01-01T00:00:00Z a\\u001b[2J\\u000ab, rule left-airport, webhook-c\\u009bd: "
                + "x".repeat(200)
                + "...");
  }

  @Test
  void theResultOfARedeliverySaysWhatWasOrWouldBeDone() {
    assertThat(new Redelivery.Result(9, 0, 2).text(false))
        .isEqualTo("Alerts published once more: 2");
    assertThat(new Redelivery.Result(9, 1, 2).text(true))
        .isEqualTo("Alerts that would be published once more: 2; messages that cannot be read: 1");
    assertThat(new Redelivery.Result(9, 0, 0).text(true))
        .isEqualTo("No undelivered alerts of that receiver and time");
  }

  @Test
  void aMessageWithoutAValueIsNoUndeliveredAlert() {
    assertThatThrownBy(() -> UndeliveredCodec.read(null)).hasMessage("it has no value");
  }

  @Test
  void whatIsWrittenOnceMoreIsTheSameAlertForTheOneReceiver() throws Exception {
    ProducerRecord<byte[], byte[]> message = Redelivery.message("lastfix.alerts", UNDELIVERED);

    assertThat(message.topic()).isEqualTo("lastfix.alerts");
    assertThat(new String(message.key(), UTF_8)).isEqualTo("ashgati");
    assertThat(AlertCodec.read(message.value()))
        .isEqualTo(TestAlert.of("ashgati").then(TestAlert.CRITICAL).alert());
    assertThat(AlertCodec.id(AlertCodec.read(message.value())))
        .isEqualTo(AlertCodec.id(UNDELIVERED.alert()));
  }
}
