package io.lastfix.parse;

import static io.lastfix.parse.Messages.OSMAND;
import static io.lastfix.parse.Messages.OSMAND_JSON;
import static io.lastfix.parse.Messages.gzip;
import static io.lastfix.parse.Messages.utf8;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lastfix.model.CellId;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.RejectionReason;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.ProfileLoader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormRecordDecoderTest {
  private static final LocationRecord RECORD = decode(OSMAND).records.get(0);

  private static Decoded decode(String message) {
    return Decoded.of(Decoded.decoder("osmand"), message);
  }

  private static void assertOnlyRecord(Decoded decoded) {
    assertThat(decoded.rejections).isEmpty();
    assertThat(decoded.records).containsExactly(RECORD);
  }

  @Test
  void aQueryStringIsOneRecordAndSoIsTheSameInJson() {
    assertThat(RECORD.user()).isEqualTo("123456");
    assertThat(RECORD.fix().position().lon()).isEqualTo(-0.1276);
    assertOnlyRecord(decode(OSMAND_JSON));
    assertOnlyRecord(decode(" \n" + OSMAND_JSON));
    assertThat(decode("[" + OSMAND_JSON + "," + OSMAND_JSON + "]").records).hasSize(2);
  }

  @Test
  void whatIsAroundTheQueryStringIsSkipped() {
    for (String start : List.of("?", "/?", "/api?", "https://example.org:5055/?", "&&")) {
      assertOnlyRecord(decode(start + OSMAND));
    }
    for (String end : List.of("\n", "\r\n", "&", "&&", "&x", "&x=", "&=y", "&url=/a?b=c")) {
      assertOnlyRecord(decode(OSMAND + end));
    }
    assertOnlyRecord(Decoded.of(Decoded.decoder("osmand"), gzip(utf8(OSMAND))));
  }

  @Test
  void namesAndValuesMayBeEscaped() {
    assertOnlyRecord(decode(OSMAND.replace("id=", "i%64=").replace("1276", "%31%32%37%36")));
    assertThat(decode(OSMAND.replace("123456", "Zo%C3%AB+%2B%F0%9F%98%80")).records.get(0).user())
        .isEqualTo("Zoë +😀");
  }

  @Test
  void utf8NeedsNoEscapes() {
    assertThat(decode(OSMAND.replace("123456", "Zoë-😀")).records.get(0).user())
        .isEqualTo("Zoë-😀");
    assertOnlyRecord(decode(OSMAND + "&note=é&é=a"));
    assertOnlyRecord(decode("é=a&" + OSMAND));
  }

  @Test
  void latin1IsNoUtf8() {
    byte[] latin1 = OSMAND.replace("123456", "é").getBytes(ISO_8859_1);
    assertThat(Decoded.of(Decoded.decoder("osmand"), latin1).rejections)
        .extracting(Rejection::detail)
        .containsExactly("not a well-formed query string: expected UTF-8 at byte 3, in record 1");
  }

  @Test
  void anEmptyValueIsAbsent() {
    assertOnlyRecord(decode(OSMAND.replace("id=", "id=&deviceid=")));
    assertThat(decode(OSMAND.replace("id=123456", "id=")).rejections.get(0).reason())
        .isEqualTo(RejectionReason.MISSING_FIELD);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "&a=%",
        "&a=%4",
        "&a=%4g",
        "&a=%%41",
        "&a=b c",
        "&a=b\tc",
        "&a=\u007f",
        "&a=\nb=c",
        "&deviceid=%C3",
        "&deviceid=%ED%A0%80",
        "&deviceid=%c0%80"
      })
  void whatIsNotStrictlyEncodedIsMalformed(String end) {
    Decoded decoded = decode(OSMAND + end);
    assertThat(decoded.records).isEmpty();
    assertThat(decoded.rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.MALFORMED);
    assertThat(decoded.rejections.get(0).detail())
        .startsWith("not a well-formed query string: expected ")
        .contains(" at byte ")
        .endsWith(", in record 1");
  }

  @Test
  void aFieldGivenTwiceIsABadValue() {
    assertThat(decode(OSMAND + "&id=123456").rejections)
        .extracting(Rejection::detail)
        .containsExactly("record 1: id: expected once, found again");
    assertThat(decode(OSMAND + "&lat=51.5072").rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.INVALID_POSITION);
  }

  @ParameterizedTest
  @CsvSource({
    "1795176001, 2026-11-20T12:00:01Z",
    "1795176001.25, 2026-11-20T12:00:01.250Z",
    "1795176001250, 2026-11-20T12:00:01.250Z",
    "2026-11-20T12:00:01Z, 2026-11-20T12:00:01Z",
    "2026-11-20T13:00:01.5%2B01:00, 2026-11-20T12:00:01.500Z",
    "2026-11-20+12:00:01, 2026-11-20T12:00:01Z",
    "2026-11-20%2012:00, 2026-11-20T12:00:00Z",
    "2026-11-20+13:00:01%2B01:00, 2026-11-20T12:00:01Z"
  })
  void aTimeMayBeSecondsMillisecondsOrIso8601(String time, Instant expected) {
    assertThat(decode(OSMAND.replace("1795176001", time)).records)
        .extracting(LocationRecord::timestampMillis)
        .containsExactly(expected.toEpochMilli());
  }

  @Test
  void aLongValueOfAMalformedMessageKeepsNoMemory() {
    FormRecordDecoder decoder = (FormRecordDecoder) Decoded.decoder("osmand");
    Decoded.of(decoder, OSMAND + "&x=" + "a".repeat(100_000) + "%");
    assertThat(decoder.keptBytes()).isLessThanOrEqualTo(4 * 1024);
  }

  @Test
  void nothingOfTheMessageGetsIntoADetail() {
    for (String message :
        List.of(
            OSMAND.replace("51.5072", "secret4711"),
            OSMAND.replace("1795176001", "secret4711"),
            OSMAND + "&secret4711=%")) {
      assertThat(decode(message).rejections.get(0).detail()).doesNotContain("4711");
    }
  }

  /** The library behind Traccar Client: an array where a single location has an object. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"location\":[%1$s,%2$s],\"device_id\":\"d\"}",
        "{\"device_id\":\"d\",\"locations\":[%1$s,%2$s]}",
        "{\"locations\":[{\"location\":%1$s},{\"location\":%2$s}],\"device_id\":\"d\"}",
        "{\"location\":[{\"location\":%1$s}],\"device_id\":\"d\",\"locations\":[[%2$s]]}",
        "{\"locations\":[{\"device_id\":\"d\",\"location\":%1$s},{\"location\":%2$s,\"device_id\":\"d\"}]}",
        "{\"device_id\":\"e\",\"location\":[{\"location\":%1$s,\"id\":\"d\"},{\"id\":\"d\",\"location\":%2$s}]}"
      })
  void eachPositionOfABatchIsARecordOfTheDeviceAroundIt(String batch) {
    String[] positions = {position("12:00:01", 51.5), position("12:00:31", 51.6)};
    for (String form : new String[] {"%s", "[%s]", "\n%s\n", "\ufeff%s"}) {
      Decoded decoded = decode(form.formatted(batch.formatted((Object[]) positions)));
      assertThat(decoded.rejections).as(batch).isEmpty();
      assertThat(decoded.records)
          .as(batch)
          .extracting(
              record ->
                  record.user()
                      + Instant.ofEpochMilli(record.timestampMillis())
                      + record.fix().position().lat())
          .containsExactly("d2026-11-20T12:00:01Z51.5", "d2026-11-20T12:00:31Z51.6");
    }
  }

  /** A hub has a time, a place and a name of its own. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"timestamp\":\"2026-11-20T12:00:59Z\",",
        "\"lat\":1,\"lon\":2,\"accuracy\":7,\"valid\":\"false\",",
        "\"id\":\"hub\",",
        "\"id\":\"hub\",\"timestamp\":1795176059,\"lat\":1,\"lon\":2,"
      })
  void whatAPositionOfABatchHasItselfIsNotThatOfItsSurroundings(String hub) {
    String positions =
        "\"location\":[{\"device_id\":\"a\",\"location\":%s},{\"device_id\":\"b\",\"location\":%s}]"
            .formatted(position("12:00:01", 51.5), position("12:00:31", 51.6));
    for (String message :
        List.of(
            "{" + hub + positions + "}",
            "{" + positions + "," + hub.substring(0, hub.length() - 1) + "}")) {
      assertThat(decode(message).records)
          .as(message)
          .extracting(
              record ->
                  record.user()
                      + Instant.ofEpochMilli(record.timestampMillis())
                      + record.fix().position().lat()
                      + record.fix().accuracyMeters())
          .containsExactly("a2026-11-20T12:00:01Z51.5null", "b2026-11-20T12:00:31Z51.6null");
    }
  }

  @Test
  void theOffsetAroundABatchIsThatOfItsTimes() throws IOException {
    String yaml =
        """
        format: json
        batch: list
        user: id
        cell:
          - {mcc: mcc, mnc: mnc, area: area, cid: cid}
          - {text: cell}
        timestamp: {path: at, format: iso8601, offset: offset}
        """;
    Profile profile =
        ProfileLoader.read("batch", "batch.yaml", new ByteArrayInputStream(utf8(yaml)));
    Decoded decoded =
        Decoded.of(
            Decoded.decoder(profile),
            "{\"id\":\"a\",\"offset\":\"+02:00\",\"mcc\":1,\"mnc\":2,\"area\":3,\"cid\":4,\"list\":["
                + "{\"at\":\"2026-11-20T12:00:01\",\"cell\":\"5-6-7-8\"},{\"at\":\"2026-11-20T12:00:31\"}]}");
    assertThat(decoded.records)
        .extracting(record -> Instant.ofEpochMilli(record.timestampMillis()), LocationRecord::cell)
        .containsExactly(
            tuple(Instant.parse("2026-11-20T10:00:01Z"), new CellId(5, 6, 7, 8)),
            tuple(Instant.parse("2026-11-20T10:00:31Z"), new CellId(1, 2, 3, 4)));
  }

  private static String position(String time, double lat) {
    return "{\"timestamp\":\"2026-11-20T%sZ\",\"coords\":{\"latitude\":%s,\"longitude\":-0.1},\"extras\":{\"a\":[]}}"
        .formatted(time, lat);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"timestamp\":\"2026-11-20T12:00:01Z\"}|MISSING_FIELD",
        "{\"timestamp\":\"yesterday\",\"coords\":{\"latitude\":1,\"longitude\":1}}|BAD_VALUE",
        "{\"timestamp\":1,\"coords\":{\"latitude\":NaN,\"longitude\":1}}|MALFORMED",
        "{\"timestamp\":1,}|MALFORMED",
        "NaN|MALFORMED",
        "7|BAD_VALUE",
        "null|BAD_VALUE"
      })
  void aBadMemberOfABatchIsRejectedByItself(String bad, RejectionReason reason) {
    String batch =
        "{\"location\":[%s,%s,%s],\"device_id\":\"d\"}"
            .formatted(position("12:00:01", 51.5), bad, position("12:00:31", 51.6));
    for (String message :
        List.of(batch, "[" + batch + "]", OSMAND_JSON + "\n" + batch, "\ufeff" + batch)) {
      Decoded decoded = decode(message + "\n" + OSMAND_JSON);
      assertThat(decoded.records.stream().filter(record -> record.user().equals("d")))
          .as(message)
          .hasSize(2);
      assertThat(decoded.records.get(decoded.records.size() - 1)).isEqualTo(RECORD);
      assertThat(decoded.rejections)
          .as(message)
          .extracting(Rejection::reason)
          .containsExactly(reason);
    }
  }

  @Test
  void aBatchIsRejectedWithItsCountIfWhatSurroundsItIsBad() {
    String batch = "{\"location\":[%1$s,%1$s,%1$s]%2$s}";
    String position = position("12:00:01", 51.5);
    Decoded without = decode(batch.formatted(position, ""));
    assertThat(without.rejectedRecords()).isEqualTo(3);
    assertThat(without.rejections.get(2).detail())
        .isEqualTo("record 3: one of id, deviceid, device_id: missing");
    assertThat(decode(batch.formatted(position, ",\"id\":{}")).rejectedRecords()).isEqualTo(3);
    assertThat(decode(batch.formatted(position, ",\"location\":[]")).rejectedRecords())
        .isEqualTo(3);
    assertThat(decode("{\"location\":[],\"id\":\"d\"}").rejections)
        .containsExactly(
            new Rejection(RejectionReason.MISSING_FIELD, "record 1: no record in location"));
    assertThat(decode("{\"id\":\"d\",\"location\":[" + position + "," + position).rejectedRecords())
        .isEqualTo(1);
  }

  @Test
  void aBatchWhoseSurroundingsAreMalformedBehindItIsRejectedWithItsCount() {
    String batch = "{\"location\":[%1$s,[%1$s],%1$s],\"id\":x}".formatted(position("12:00:01", 51));
    for (String form : new String[] {"%2$s\n%1$s\n%2$s", "[%2$s,%1$s,%2$s]"}) {
      Decoded decoded = decode(form.formatted(batch, OSMAND_JSON));
      assertThat(decoded.records).as(form).containsExactly(RECORD, RECORD);
      assertThat(decoded.rejections).as(form).hasSize(1);
      assertThat(decoded.rejectedRecords()).as(form).isEqualTo(3);
    }
    assertThat(decode(batch.substring(0, batch.length() - 2)).rejectedRecords()).isEqualTo(3);
  }

  @Test
  void theRecordsOfABatchCountTowardsTheLimitOfRecords() {
    RecordDecoder decoder = Decoded.decoder("osmand", RecordDecoderContract.TIGHT);
    String position = position("12:00:01", 51.5);
    Decoded decoded =
        Decoded.of(
            decoder, "{\"id\":\"d\",\"location\":[" + (position + ",").repeat(7) + position + "]}");
    assertThat(decoded.records).hasSize(5);
    assertThat(decoded.rejectedRecords()).isEqualTo(3);
  }

  @Test
  void aBatchThatIsNotInUtf8IsRejectedWithThatReason() {
    assertThat(
            Decoded.of(
                    Decoded.decoder("osmand"),
                    Messages.OSMAND_BATCH.getBytes(java.nio.charset.StandardCharsets.UTF_16LE))
                .rejections)
        .extracting(Rejection::detail)
        .containsExactly("record 1: location: expected UTF-8 with an array of records");
  }
}
