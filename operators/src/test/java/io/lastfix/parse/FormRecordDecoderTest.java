package io.lastfix.parse;

import static io.lastfix.parse.Messages.OSMAND;
import static io.lastfix.parse.Messages.OSMAND_JSON;
import static io.lastfix.parse.Messages.gzip;
import static io.lastfix.parse.Messages.utf8;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.LocationRecord;
import io.lastfix.model.RejectionReason;
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
}
