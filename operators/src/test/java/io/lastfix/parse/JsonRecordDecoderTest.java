package io.lastfix.parse;

import static io.lastfix.parse.Messages.JSON;
import static io.lastfix.parse.Messages.RECORD;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.RejectionReason;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.ProfileLoader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonRecordDecoderTest extends RecordDecoderContract {
  @Override
  String profile() {
    return "json";
  }

  @Override
  String one() {
    return JSON;
  }

  @Override
  String withUser(String user) {
    return JSON.replace("350000000007919", user);
  }

  @Override
  String withoutUser() {
    return JSON.replace("\"user\":\"350000000007919\",", "");
  }

  @Override
  String withTime(String iso8601) {
    return JSON.replace("1795176001001", "\"" + iso8601 + "\"");
  }

  @Override
  String many(String... records) {
    return "[" + String.join(",", records) + "]";
  }

  @Override
  String nested(int depth) {
    return "{\"a\":".repeat(depth) + "1" + "}".repeat(depth);
  }

  @Override
  String withExtraText(int length) {
    return "{\"extra\":\""
        + "x".repeat(length)
        + "\",\"number\":"
        + "1".repeat(length)
        + ","
        + JSON.substring(1);
  }

  @Override
  String message(Charset charset) {
    return JSON;
  }

  @Test
  void utf16IsDecoded() {
    assertThat(decode(JSON.getBytes(java.nio.charset.StandardCharsets.UTF_16LE)).records)
        .containsExactly(RECORD);
  }

  @Test
  void objectsOnLinesOfTheirOwnAreDecoded() {
    Decoded decoded =
        decode(withUser("a") + "\n" + withUser("b") + "\r\n\n" + withUser("c") + "\n");
    assertThat(decoded.rejections).isEmpty();
    assertThat(decoded.records).extracting(record -> record.user()).containsExactly("a", "b", "c");
  }

  @Test
  void anObjectOverSeveralLinesIsDecoded() {
    assertThat(decode(JSON.replace(",", ",\n  ")).records).containsExactly(RECORD);
  }

  @Test
  void aBadLineIsRejectedAndTheNextLinesGoOn() {
    String cutShort = withUser("b").substring(0, 30);
    String swallowing = "{\"user\":\"c\",\"cell\":";
    Decoded decoded =
        decode(
            String.join(
                "\n",
                withUser("a"),
                cutShort,
                withUser("d"),
                swallowing,
                withUser("e"),
                withUser("f"),
                "x"));
    assertThat(decoded.records)
        .extracting(record -> record.user())
        .containsExactly("a", "d", "e", "f");
    assertThat(decoded.rejections)
        .extracting(Rejection::reason)
        .containsOnly(RejectionReason.MALFORMED);
    assertThat(decoded.rejections).hasSize(3);
    assertThat(decoded.rejections.get(0).detail())
        .startsWith("record 2: not well-formed JSON at byte ");
  }

  @Test
  void garbageBetweenLinesIsRejectedAndTheNextLinesGoOn() {
    Decoded decoded = decode(withUser("a") + "\ngarbage\n" + withUser("b"));
    assertThat(decoded.records).extracting(record -> record.user()).containsExactly("a", "b");
    assertThat(decoded.rejections).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{bad}",
        "{\"user\":\"x\",\"cell\":\"1-2-3-4\",\"ts\":NaN}",
        "{\"user\":\"} ]\",\"ts\":08}",
        "{\"user\":\"\\x\\\"\",\"cell\":{\"mcc\":1,},\"ts\":1}",
        "{\"user\":[1}",
        "{\"user\":1]}",
        "{\"user\":\"a\tb\"}",
        "NaN",
        "'x'",
        "{\"a\":1} {\"b\":x}",
        ""
      })
  void aMalformedMemberOfAnArrayIsRejectedByItselfAndNothingIsDoubled(String bad) {
    for (String blank : new String[] {"", "\n"}) {
      Decoded decoded =
          decode(
              String.join("," + blank, "[" + withUser("a"), bad, withUser("b"), withUser("c] "))
                  + blank
                  + "]\n"
                  + withUser("d"));
      assertThat(decoded.records)
          .as(bad)
          .extracting(record -> record.user())
          .containsExactly("a", "b", "c]", "d");
      assertThat(decoded.rejections)
          .as(bad)
          .extracting(Rejection::reason)
          .contains(RejectionReason.MALFORMED)
          .hasSizeBetween(1, 3);
      assertThat(decoded.rejections.get(decoded.rejections.size() - 1).detail())
          .startsWith("record ")
          .contains(": not well-formed JSON at byte ");
    }
  }

  @Test
  void eachMalformedMemberIsRejectedWhereverItIs() {
    Decoded decoded =
        decode("[{a}, [[" + withUser("a") + ",{b},{c}], x, " + withUser("b") + "],{d},]");
    assertThat(decoded.records).extracting(record -> record.user()).containsExactly("a", "b");
    assertThat(decoded.rejections).hasSize(5);
    assertThat(decoded.rejectedRecords()).isEqualTo(5);
  }

  @Test
  void aMemberThatDoesNotEndTakesTheRestOfTheArrayWithIt() {
    Decoded decoded = decode("[" + withUser("a") + ",{\"user\":\"x," + withUser("b") + "]");
    assertThat(decoded.records).extracting(record -> record.user()).containsExactly("a");
    assertThat(decoded.rejections)
        .extracting(Rejection::detail)
        .singleElement()
        .asString()
        .endsWith(", in record 2");
  }

  @Test
  void anArrayThatIsNestedTooDeepIsOneRejection() {
    String deep = "[".repeat(70) + "]".repeat(70);
    Decoded decoded =
        decode(
            "[" + String.join(",", withUser("a"), deep, withUser("b"), deep, withUser("c")) + "]");
    assertThat(decoded.records).extracting(record -> record.user()).containsExactly("a", "b", "c");
    assertThat(decoded.rejectedRecords()).isEqualTo(2);
  }

  @Test
  void aBraceTooManyTakesNoMemberWithIt() {
    Decoded decoded =
        decode("[" + withUser("a") + "}," + withUser("b") + "," + withUser("c") + "}]");
    assertThat(decoded.records).extracting(record -> record.user()).containsExactly("a", "b", "c");
    assertThat(decoded.rejectedRecords()).isEqualTo(2);
  }

  /** A member of the array may have several records, or none. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"r\":%1$s,\"r\":%2$s},x,{\"r\":%3$s},{\"r\":%4$s}]",
        "[{\"head\":1},{\"r\":%1$s},x,{\"r\":%2$s},{\"head\":{}},{\"r\":[%3$s,%4$s]}]",
        "[{\"r\":[%1$s],\"o\":{\"r\":7}},x,{\"r\":[[%2$s],%3$s],\"o\":[{}]},{\"r\":%4$s}]"
      })
  void noRecordInsideAMemberIsLostOrDoubledByAMalformedOne(String message) throws IOException {
    String yaml =
        """
        format: json
        record: r
        user: id
        cell: {text: cell}
        timestamp: {path: at, format: epoch-seconds}
        """;
    Profile profile =
        ProfileLoader.read("nested", "nested.yaml", new ByteArrayInputStream(Messages.utf8(yaml)));
    Object[] events =
        Stream.of("a", "b", "c", "d")
            .map(id -> "{\"id\":\"%s\",\"cell\":\"1-2-3-4\",\"at\":1795176001}".formatted(id))
            .toArray();
    Decoded decoded = Decoded.of(Decoded.decoder(profile), message.formatted(events));
    assertThat(decoded.records)
        .extracting(record -> record.user())
        .containsExactly("a", "b", "c", "d");
    assertThat(decoded.rejectedRecords()).isEqualTo(1);
  }

  @Test
  void anArrayOfManyMalformedMembersEndsAfterABoundedNumberOfThem() {
    Decoded decoded = decode("[" + "{a},".repeat(5_000) + withUser("b") + "]");
    assertThat(decoded.records).isEmpty();
    assertThat(decoded.rejectedRecords()).isEqualTo(JsonRecordDecoder.MAX_RECOVERIES + 1);
  }

  @Test
  void whatTheProfileKnowsToBeNoRecordIsCountedAndNotRejected() {
    for (String other :
        new String[] {
          "{\"_type\":\"lwt\",\"tst\":1795176001}",
          "{\"_type\":\"waypoints\",\"tst\":[{}],\"tid\":{},\"waypoints\":[{\"_type\":\"location\"}]}",
          "{\"_type\":\"status\",\"tid\":\"a\",\"tid\":\"b\"}",
          "{\"_type\":7}",
          "{\"_type\":true}"
        }) {
      Decoded decoded =
          Decoded.of(Decoded.decoder("owntracks"), "[" + other + "," + Messages.OWNTRACKS + "]");
      assertThat(decoded.rejections).as(other).isEmpty();
      assertThat(decoded.records).as(other).hasSize(1);
      assertThat(decoded.notRecords).as(other).isEqualTo(1);
    }
  }

  @Test
  void aKindThatIsMissingOrCannotBeReadIsRejected() {
    for (String type :
        new String[] {
          "\"x\":\"location\"",
          "\"_type\":null",
          "\"_type\":\" \"",
          "\"_type\":{}",
          "\"_type\":1.5",
          "\"_type\":\"lwt\",\"_type\":\"location\"",
          "\"_type\":\"" + "x".repeat(300) + "\""
        }) {
      Decoded decoded =
          Decoded.of(
              Decoded.decoder("owntracks"),
              Messages.OWNTRACKS.replace("\"_type\":\"location\"", type));
      assertThat(decoded.notRecords).as(type).isZero();
      assertThat(decoded.rejections)
          .as(type)
          .extracting(Rejection::detail)
          .containsExactly("record 1: _type: expected location");
    }
  }

  @Test
  void aMetricWithoutAPlaceIsNoRecordAndOneWithADamagedPlaceIsRejected() {
    String metric =
        "{\"metricName\":\"openschemaWifiSession\",\"metricsList\":[%s],\"identifier\":{\"uuid\":\"u\"},\"timestamp\":{\"timestamp\":1795176001001}}";
    String latitude = "{\"first\":\"latitude\",\"second\":%s}";
    for (String none :
        new String[] {"", latitude.formatted("\"null\""), latitude.formatted("null")}) {
      Decoded decoded = Decoded.of(Decoded.decoder("openschema"), metric.formatted(none));
      assertThat(decoded.notRecords).as(none).isEqualTo(1);
      assertThat(decoded.rejections).as(none).isEmpty();
    }
    assertThat(
            Decoded.of(Decoded.decoder("openschema"), metric.formatted(latitude.formatted("\"x\"")))
                .rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.INVALID_POSITION);
    assertThat(
            Decoded.of(Decoded.decoder("openschema"), metric.formatted("").replace("uuid", "id"))
                .rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.MISSING_FIELD);
  }

  @Test
  void eachFeatureOfACollectionIsARecord() {
    String collection =
        "{\"type\":\"FeatureCollection\",\"id\":\"c\",\"features\":[%s,{\"type\":\"Feature\",\"id\":\"b\",\"properties\":{\"time\":1795176001},\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}]}";
    Decoded decoded =
        Decoded.of(Decoded.decoder("geojson"), collection.formatted(Messages.GEOJSON));
    assertThat(decoded.rejections).isEmpty();
    assertThat(decoded.records)
        .extracting(record -> record.user())
        .containsExactly(
            Decoded.of(Decoded.decoder("geojson"), Messages.GEOJSON).records.get(0).user(), "b");
  }

  @Test
  void aCellMayBeAText() {
    String text = JSON.replaceAll("\\{\"radio.*?}", "\"234-10-4021-20911362\",\"radio\":\"lte\"");
    assertThat(decode(text).records).containsExactly(RECORD);
  }

  @Test
  void aCellMayBeATextWithoutArea() {
    String text = JSON.replaceAll("\\{\"radio.*?}", "\"234-10--20911362\"");
    assertThat(decode(text).records)
        .extracting(record -> record.cell().toString())
        .containsExactly("234-10--20911362");
  }

  @Test
  void numbersMayBeTextsAndTheUserANumber() {
    String swapped =
        JSON.replace("\"350000000007919\"", "350000000007919").replace("234", "\"234\"");
    assertThat(decode(swapped).records).containsExactly(RECORD);
  }

  @Test
  void aFieldGivenTwiceIsABadValue() {
    assertRejected(
        decode("{\"user\":\"a\"," + JSON.substring(1)),
        RejectionReason.BAD_VALUE,
        "record 1: user: expected once, found again");
    assertRejected(
        decode("{\"cell\":{\"mcc\":1}," + JSON.substring(1)),
        RejectionReason.BAD_VALUE,
        "record 1: cell: expected once, found again");
  }

  @Test
  void aNullIsAFieldThatIsNotGiven() {
    assertThat(decode(JSON.replace("\"LTE\"", "null")).records)
        .extracting(record -> record.radio())
        .containsOnlyNulls();
    assertRejected(
        decode(JSON.replace("1795176001001", "null")),
        RejectionReason.MISSING_FIELD,
        "record 1: ts: missing");
  }

  @Test
  void valuesOfAnotherKindAreBad() {
    for (String value :
        new String[] {"[234]", "{\"x\":1}", "true", "234.0", "2e2", "-1", "1000", "\"\u0663\""}) {
      Decoded decoded = decode(JSON.replace("\"mcc\":234", "\"mcc\":" + value));
      assertThat(decoded.records).as(value).isEmpty();
      assertThat(decoded.rejections)
          .as(value)
          .extracting(Rejection::reason)
          .containsExactly(RejectionReason.BAD_VALUE);
    }
  }

  @Test
  void aUserThatIsAFractionIsBad() {
    assertThat(decode(JSON.replace("\"350000000007919\"", "3.5e14")).rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.BAD_VALUE);
  }

  @Test
  void halfASurrogatePairInAUserIsABadValue() {
    assertThat(decode(withUser("a\\ud83d")).rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.BAD_VALUE);
  }

  @Test
  void aRadioNobodyKnowsIsABadValueAndAnEmptyOneIsNone() {
    assertRejected(
        decode(JSON.replace("LTE", "6G")),
        RejectionReason.BAD_VALUE,
        "record 1: cell/radio: expected the name of a radio");
    assertThat(decode(JSON.replace("LTE", "")).records).hasSize(1);
  }

  @Test
  void notANumberIsMalformed() {
    assertThat(decode(JSON.replace("1795176001001", "NaN")).rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.MALFORMED);
  }

  @Test
  void aValueThatIsNoObjectIsABadValue() {
    for (String message : new String[] {"1", "\"text\"", "null", "[true]"}) {
      assertRejected(decode(message), RejectionReason.BAD_VALUE, "record 1: expected an object");
    }
  }

  @Test
  void aMessageWithoutARecordIsRejected() {
    for (String message : new String[] {"[]", " ", "[[]]"}) {
      assertRejected(decode(message), RejectionReason.MISSING_FIELD, "no record in the message");
    }
  }

  @Test
  void recordsMayStandInsideOtherObjects() throws IOException {
    String yaml =
        """
        format: json
        record: body/events
        user: id
        cell: {text: cell}
        timestamp: {path: at, format: epoch-seconds}
        """;
    Profile profile =
        ProfileLoader.read("nested", "nested.yaml", new ByteArrayInputStream(Messages.utf8(yaml)));
    RecordDecoder decoder =
        RecordDecoder.of(
            profile, DefaultLimits.DECODER, DefaultLimits.TIMESTAMP, () -> Messages.NOW);
    String event = "{\"id\":\"u\",\"cell\":\"234-10-4021-20911362\",\"at\":1795176001.001}";
    Decoded decoded =
        Decoded.of(
            decoder,
            "{\"head\":{\"events\":[1]},\"body\":{\"events\":[" + event + "," + event + "]}}");
    Decoded damaged =
        Decoded.of(
            decoder,
            "[{\"body\":{\"events\":[{x},%1$s],\"y\":[1]}},{\"body\":{\"events\":[%1$s,{\"id\":}]}}]"
                .formatted(event));
    assertThat(damaged.records).isEqualTo(decoded.records);
    assertThat(damaged.rejections).hasSize(2);
    assertThat(decoded.rejections).isEmpty();
    assertThat(decoded.records)
        .hasSize(2)
        .allMatch(record -> record.timestampMillis() == RECORD.timestampMillis());
  }

  @Test
  void aMessageOfBrokenLinesEndsAfterABoundedNumberOfThem() {
    Decoded decoded = decode(Messages.gzip(Messages.utf8("{\n".repeat(2_000_000))));
    assertThat(decoded.records).isEmpty();
    assertThat(decoded.rejectedRecords()).isEqualTo(JsonRecordDecoder.MAX_RECOVERIES + 1);
  }

  @Test
  void aBrokenLineAtTheLimitOfRecordsEndsTheMessage() {
    RecordDecoder decoder = Decoded.decoder(profile(), TIGHT);
    Decoded decoded = Decoded.of(decoder, "{\n".repeat(100));
    assertThat(decoded.rejectedRecords()).isEqualTo(TIGHT.maxRecordsPerMessage() + 1);
    assertThat(decoded.rejections.get(decoded.rejections.size() - 2).detail())
        .endsWith(", in record 6");
  }

  @Test
  void aMessageThatWouldBeReadOverAndOverEnds() {
    // Each line starts an object that seems well until the last byte.
    String message = "{\"a\":[\n".repeat(25) + "1,".repeat(1_000) + "x";
    assertThat(decode(message).rejectedRecords()).isBetween(2, 4);
  }

  @Test
  void afterABrokenLineEachLineIsARecordBehindBlanksOrNot() {
    Decoded decoded =
        decode("{bad}\n \t" + withUser("a") + "\n{\"user\":\"b\n\r\n  " + withUser("c"));
    assertThat(decoded.records).extracting(record -> record.user()).containsExactly("a", "c");
    assertThat(decoded.rejections).hasSize(2);
  }

  @Test
  void eachLineOfGarbageIsARejectedRecord() {
    Decoded decoded = decode(withUser("a") + "\nsome garbage\nmore\n\n]\n" + withUser("b") + "\nx");
    assertThat(decoded.records).extracting(record -> record.user()).containsExactly("a", "b");
    assertThat(decoded.rejections)
        .extracting(Rejection::detail)
        .extracting(detail -> detail.replaceAll("\\d+$", "#"))
        .containsExactly(
            "record 2: not well-formed JSON at byte #",
            "record 3: expected an object at byte #",
            "record 4: expected an object at byte #",
            "record 6: not well-formed JSON at byte #");
  }

  @Test
  void anObjectOverSeveralLinesThatBreaksIsOneRejectionAndNotTakenApart() {
    String broken = "{\n  \"id\": x,\n  \"inner\":\n  " + withUser("no") + "\n}\n";
    Decoded decoded = decode(broken + withUser("yes"));
    assertThat(decoded.records).extracting(record -> record.user()).containsExactly("yes");
    assertThat(decoded.rejections).hasSize(1);
  }
}
