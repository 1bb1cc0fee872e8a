package io.lastfix.parse;

import static io.lastfix.parse.Messages.JSON_POSITION;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.Fix;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Place;
import io.lastfix.model.RejectionReason;
import io.lastfix.parse.profile.Profile;
import io.lastfix.parse.profile.ProfileLoader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a position of a record's own is, what is none, and what becomes of the record then. */
class PositionRulesTest {
  private static final String WITH_CELL =
      JSON_POSITION.replace("\"user\"", "\"cell\":\"234-10--7\",\"user\"");

  private static Decoded json(String message) {
    return Decoded.of(Decoded.decoder("json"), message);
  }

  private static Fix fix(Decoded decoded) {
    assertThat(decoded.rejections).isEmpty();
    return decoded.records.get(0).fix();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"lon\":-0.1276,\"lat\":51.5072 | \"lon\":0,\"lat\":0",
        "\"lon\":-0.1276,\"lat\":51.5072 | \"lon\":-0.0,\"lat\":0e5",
        "\"lon\":-0.1276, | \"lon\":180.01,",
        "\"lon\":-0.1276, | \"lon\":-180.01,",
        "\"lat\":51.5072 | \"lat\":90.01",
        "\"lat\":51.5072 | \"lat\":-91",
        "\"lat\":51.5072 | \"lat\":\"NaN\"",
        "\"lat\":51.5072 | \"lat\":\"51,5\"",
        "\"lat\":51.5072 | \"lat\":false",
        "\"lat\":51.5072 | \"lat\":[51.5072]",
        "\"lat\":51.5072, | ``",
        "\"lon\":-0.1276, | ``",
        "\"lon\":-0.1276, | \"lon\":null,",
        "\"accuracy\":12.5 | \"accuracy\":-0.1",
        "\"network\" | \"Cell\"",
        "\"lat\":51.5072 | \"lat\":51.5072,\"lat\":51.5072",
      })
  void whatIsNoPositionIsRejectedWithoutACellAndIgnoredWithOne(String good, String bad) {
    Decoded without = json(JSON_POSITION.replace(good, bad));
    assertThat(without.records).isEmpty();
    assertThat(without.rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.INVALID_POSITION);
    assertThat(without.rejections.get(0).detail())
        .startsWith("record 1: position/")
        .doesNotContain("51.", "0.1276", "180.01", "91");

    Decoded with = json(WITH_CELL.replace(good, bad));
    assertThat(with.rejections).isEmpty();
    assertThat(with.positionsIgnored).isEqualTo(1);
    assertThat(with.records)
        .extracting(LocationRecord::place)
        .hasOnlyElementsOfType(Place.AtCell.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"180,\"lat\":90", "-180,\"lat\":-90", "0,\"lat\":0.0000001", "1e1,\"lat\":0"})
  void aPositionAtTheLimitsIsOne(String lonLat) {
    Decoded decoded = json(JSON_POSITION.replace("-0.1276,\"lat\":51.5072", lonLat));
    assertThat(fix(decoded)).isNotNull();
    assertThat(decoded.positionsIgnored).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "0.0",
        "null",
        "\"\"",
        "\"NaN\"",
        "\"far\"",
        "true",
        "1e999",
        "{\"m\":3}",
        "[3]"
      })
  void anAccuracyThatIsNoneIsUnknown(String accuracy) {
    assertThat(fix(json(WITH_CELL.replace("12.5", accuracy))).accuracyMeters()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"null", "\"\"", "\"NaN\"", "\"high\"", "false", "1e999", "{\"m\":3}", "[3]"})
  void anAltitudeThatIsNoneIsUnknown(String altitude) {
    assertThat(fix(json(JSON_POSITION.replace("-3.5", altitude))).altitudeMeters()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "\"gnss\",GNSS",
    "\"GNSS\",GNSS",
    "\"network\",NETWORK",
    "\"mlp\",MLP",
    "\"wifi\",NETWORK",
    "7,NETWORK",
    "true,NETWORK",
    "1.5,NETWORK",
    "[],NETWORK",
    "[\"gnss\"],NETWORK",
    "{},NETWORK",
    "\"gnss\"x\"source\":\"gnss\",NETWORK",
    "null,GNSS",
    "\"\",GNSS"
  })
  void aSourceThatIsNotKnownIsANetworkAndAMissingOneTheDefault(String source, String expected) {
    // A comma would end the table's cell.
    String json = source.replace("x\"source", ",\"source");
    assertThat(fix(json(JSON_POSITION.replace("\"network\"", json))).source())
        .hasToString(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"mcc\":234,\"mnc\":10,\"area\":2147483647,\"cid\":7}",
        "{\"mcc\":234,\"mnc\":10,\"area\":1,\"cid\":9223372036854775807}",
        "{\"mcc\":null,\"mnc\":null,\"cid\":7}",
        "{\"mcc\":234,\"mnc\":10,\"cid\":-1}",
        "{\"mcc\":234,\"mnc\":10,\"cid\":7,\"radio\":\"6G\"}",
        "\"234-10-7\"",
        "{\"mcc\":234,\"mnc\":10,\"cid\":20911362.0}",
        "{\"mcc\":234,\"mnc\":10,\"cid\":true}",
        "{\"mcc\":234,\"mnc\":10,\"cid\":[7]}",
        "{\"mcc\":234,\"mnc\":10,\"cid\":{\"value\":7}}",
        "{\"mcc\":234,\"mnc\":10,\"cid\":7,\"cid\":7}",
        "{\"mcc\":true}",
        "[{\"mcc\":234,\"mnc\":10,\"cid\":7}]",
        "true",
        "7.5",
        "\"234-10--7\",\"cell\":\"234-10--7\"",
        "\"234-10--7\",\"cell\":null"
      })
  void aCellThatCannotBeReadIsIgnoredBesideAPositionAndRejectsTheRecordOtherwise(String cell) {
    String message = WITH_CELL.replace("\"234-10--7\"", cell);
    Decoded decoded = json(message + "\n" + WITH_CELL);
    assertThat(fix(decoded).position().lat()).isEqualTo(51.5072);
    assertThat(decoded.records.get(0).place()).isInstanceOf(Place.AtFix.class);
    assertThat(decoded.records.get(1).place()).isInstanceOf(Place.AtFixAndCell.class);
    assertThat(decoded.cellsIgnored).isEqualTo(1);
    assertThat(decoded.positionsIgnored).isZero();

    for (String bad : new String[] {"99", "null"}) {
      Decoded without = json(message.replace("51.5072", bad));
      assertThat(without.records).isEmpty();
      assertThat(without.rejections.get(0).detail()).startsWith("record 1: cell");
      assertThat(without.cellsIgnored).isZero();
    }
  }

  @Test
  void aCellsTextThatIsTooLongIsIgnoredBesideAPosition() {
    for (String cell :
        new String[] {"\"" + "7".repeat(257) + "\"", "{\"cid\":" + "7".repeat(257) + "}"}) {
      String message = WITH_CELL.replace("\"234-10--7\"", cell);
      Decoded decoded = json(message);
      assertThat(decoded.rejections).isEmpty();
      assertThat(decoded.records.get(0).place()).isInstanceOf(Place.AtFix.class);
      assertThat(decoded.cellsIgnored).isEqualTo(1);

      assertThat(json(message.replace("51.5072", "99")).rejections)
          .extracting(Rejection::detail)
          .singleElement(InstanceOfAssertFactories.STRING)
          .startsWith("record 1: cell")
          .endsWith("longer than the limit of characters");
    }
  }

  @Test
  void anUnreadableCellOfAQueryStringOrOfXmlIsIgnoredBesideAPosition() throws IOException {
    for (String format : new String[] {"form", "xml\nrecord: r"}) {
      boolean isForm = format.equals("form");
      Profile profile =
          ProfileLoader.read(
              "p",
              "p.yaml",
              new ByteArrayInputStream(
                  Messages.utf8(
                      """
                      format: %s
                      user: id
                      cell: {mcc: mcc, mnc: mnc, cid: cid}
                      position: {lon: x, lat: y, default-source: gnss}
                      timestamp: {path: ts, format: epoch-millis}
                      """
                          .formatted(format))));
      RecordDecoder decoder = Decoded.decoder(profile);
      for (String cid : new String[] {"7&cid=7", "7".repeat(257), "x"}) {
        String form = "id=1&mcc=234&mnc=10&cid=" + cid + "&x=%s&y=2&ts=1795176001001";
        String message = isForm ? form : xmlOf(form);
        Decoded decoded = Decoded.of(decoder, message.formatted("1"));
        assertThat(decoded.rejections).as(message).isEmpty();
        assertThat(decoded.records.get(0).place()).isInstanceOf(Place.AtFix.class);
        assertThat(decoded.cellsIgnored).isEqualTo(1);
        assertThat(Decoded.of(decoder, message.formatted("181")).rejections)
            .extracting(Rejection::detail)
            .singleElement(InstanceOfAssertFactories.STRING)
            .startsWith("record 1: cid: ");
      }
    }
  }

  private static String xmlOf(String form) {
    return Stream.of(form.split("&"))
        .map(pair -> pair.split("="))
        .map(pair -> "<%1$s>%2$s</%1$s>".formatted(pair[0], pair[1]))
        .collect(Collectors.joining("", "<r>", "</r>"));
  }

  @Test
  void anElementInsideACellsNumberIsIgnoredBesideAShape() {
    String message =
        Messages.mlp(
            "<pos><msid>7</msid><pd><time>20261120120001</time><shape><Point><coord><X>51.5</X>"
                + "<Y>-0.125</Y></coord></Point></shape></pd><gsm_net_param><cgi><mcc>234</mcc>"
                + "<mnc>10</mnc><lac>1</lac><cellid>7<b/></cellid></cgi></gsm_net_param></pos>");
    Decoded decoded = Decoded.of(Decoded.decoder("mlp"), message);
    assertThat(decoded.rejections).isEmpty();
    assertThat(decoded.records.get(0).place()).isInstanceOf(Place.AtFix.class);
    assertThat(decoded.cellsIgnored).isEqualTo(1);
    assertThat(Decoded.of(Decoded.decoder("mlp"), message.replace("51.5", "91")).rejections)
        .extracting(Rejection::detail)
        .containsExactly("record 1: gsm_net_param/cgi/cellid: expected text, found an element");
  }

  @Test
  void aFieldGivenTwiceRejectsTheRecordOnlyIfNotOnlyPositionsUseIt() {
    assertThat(fix(json(JSON_POSITION.replace("12.5", "12.5,\"accuracy\":13"))).accuracyMeters())
        .isNull();
    assertThat(fix(json(JSON_POSITION.replace("-3.5", "1,\"altitude\":1"))).altitudeMeters())
        .isNull();
    Decoded twice = json(WITH_CELL.replace("\"position\"", "\"position\":{},\"position\""));
    assertThat(twice.positionsIgnored).isEqualTo(1);
    assertThat(twice.records.get(0).fix()).isNull();
    assertThat(json(WITH_CELL.replace("\"user\"", "\"user\":\"7\",\"user\"")).rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.BAD_VALUE);
  }

  @Test
  void theCellsOwnPositionIsNoneOfTheDevice() {
    assertThat(json(JSON_POSITION.replace("network", "cell")).rejections)
        .extracting(Rejection::detail)
        .containsExactly("record 1: position/source: the position of a cell, not of the device");
  }

  @Test
  void withACellBothAreKept() {
    Decoded decoded = json(WITH_CELL);
    assertThat(decoded.records.get(0).place()).isInstanceOf(Place.AtFixAndCell.class);
    assertThat(fix(decoded).accuracyMeters()).isEqualTo(12.5);
    assertThat(fix(decoded).altitudeMeters()).isEqualTo(-3.5);
    assertThat(decoded.positionsIgnored).isZero();
  }

  @Test
  void aRecordThatIsRejectedLaterIsNotCountedAsIgnored() {
    Decoded decoded =
        json(WITH_CELL.replace("51.5072", "99").replace("1795176001001", "\"never\""));
    assertThat(decoded.rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.BAD_VALUE);
    assertThat(decoded.positionsIgnored).isZero();
  }

  @Test
  void theNextRecordKnowsNothingOfTheLastPosition() {
    Decoded decoded =
        json(WITH_CELL.replace("51.5072", "99") + "\n" + WITH_CELL + "\n" + Messages.JSON);
    assertThat(decoded.rejections).isEmpty();
    assertThat(decoded.positionsIgnored).isEqualTo(1);
    assertThat(decoded.records.get(1).fix()).isNotNull();
    assertThat(decoded.records.get(2)).isEqualTo(Messages.RECORD);
  }

  @Test
  void anUnreadableValueOfAFieldThatIsAlsoTheUserRejectsTheRecord() throws IOException {
    Profile profile =
        ProfileLoader.read(
            "p",
            "p.yaml",
            new ByteArrayInputStream(
                Messages.utf8(
                    """
                    format: json
                    user: alt
                    position: {lon: lon, lat: lat, altitude: alt, default-source: network}
                    timestamp: {path: ts, format: auto}
                    """)));
    RecordDecoder decoder = Decoded.decoder(profile);
    String message = "{\"alt\":%s,\"lon\":1,\"lat\":2,\"ts\":1795176001001}";
    assertThat(Decoded.of(decoder, message.formatted("5")).records).hasSize(1);
    assertThat(Decoded.of(decoder, message.formatted("true")).rejections)
        .extracting(Rejection::reason)
        .containsExactly(RejectionReason.BAD_VALUE);
  }

  @Test
  void aSourceMayHaveNamesOfItsOwn() throws IOException {
    Profile profile =
        ProfileLoader.read(
            "p",
            "p.yaml",
            new ByteArrayInputStream(
                Messages.utf8(
                    """
                    format: form
                    user: id
                    position:
                      lon: x
                      lat: y
                      source: by
                      sources: {GPS: gnss, wifi: network}
                      default-source: mlp
                    timestamp: {path: ts, format: any}
                    """)));
    RecordDecoder decoder = Decoded.decoder(profile);
    String message = "id=1&x=1&y=2&ts=1795176001&by=";
    assertThat(fix(Decoded.of(decoder, message + "gps")).source()).hasToString("GNSS");
    assertThat(fix(Decoded.of(decoder, message + "WIFI")).source()).hasToString("NETWORK");
    assertThat(fix(Decoded.of(decoder, message + "gnss")).source()).hasToString("NETWORK");
    assertThat(fix(Decoded.of(decoder, message)).source()).hasToString("MLP");
  }
}
