package io.lastfix.workload;

import static io.lastfix.workload.Examples.RECORD;
import static io.lastfix.workload.Examples.recordAt;
import static io.lastfix.workload.Examples.recordOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Radio;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordEncoderTest {

  @Test
  void arcanumIsThePilotsEvent() {
    String message = encoded(MessageFormat.ARCANUM, RECORD);

    assertThat(message)
        .startsWith("<event id=\"e-100000001\" version=\"1.0\">\n  <header><source>MSC-")
        .contains("<sequence>1</sequence><type>")
        .contains("<subscriber><imei>350000000007919</imei><imsi>23410")
        .contains(
            "<cell><radio>LTE</radio><mcc>234</mcc><mnc>10</mnc><lac>4021</lac>"
                + "<cid>20911362</cid></cell>")
        .contains("<timestamp>2026-11-20T12:00:01.001Z</timestamp>")
        .endsWith("</event>\n");
    assertThat(message.length()).isBetween(380, 520);
  }

  @Test
  void severalArcanumRecordsStandInOneEventsElement() throws IOException {
    byte[] message =
        MessageFormat.ARCANUM.newEncoder().encode(List.of(RECORD, recordOf("second")), 7);

    assertThat(PlainReader.document(message).getDocumentElement().getTagName()).isEqualTo("events");
  }

  @Test
  void oneMlpRecordIsAReportAndSeveralAreAnAnswer() {
    LocationRecord record = MessageFormat.MLP.newEncoder().asRead(RECORD);

    assertThat(encoded(MessageFormat.MLP, record)).contains("<slrep ver=\"3.4.0\">");
    assertThat(encoded(MessageFormat.MLP, record, record)).contains("<slia ver=\"3.4.0\">");
  }

  @Test
  void mlpGivesAnLteCellWithoutItsAreaAndWholeSeconds() {
    String message = encoded(MessageFormat.MLP, MessageFormat.MLP.newEncoder().asRead(RECORD));

    assertThat(message)
        .contains("<msid type=\"IMEI\">350000000007919</msid>")
        .contains("<pd><time utc_off=\"+0000\">20261120120001</time></pd>")
        .contains("<serving_cell><mcc>234</mcc><mnc>10</mnc><lte_ci>20911362</lte_ci>");
  }

  @Test
  void mlpGivesAGsmCellAsACgi() {
    LocationRecord gsm =
        new LocationRecord(RECORD.user(), RECORD.cell(), Radio.GSM, RECORD.timestampMillis());

    assertThat(encoded(MessageFormat.MLP, MessageFormat.MLP.newEncoder().asRead(gsm)))
        .contains("<cgi><mcc>234</mcc><mnc>10</mnc><lac>4021</lac><cellid>20911362</cellid></cgi>");
  }

  @Test
  void jsonIsOneObjectAnArrayOrLines() {
    String object =
        "{\"user\":\"350000000007919\",\"cell\":{\"radio\":\"LTE\",\"mcc\":234,\"mnc\":10,"
            + "\"area\":4021,\"cid\":20911362},\"ts\":"
            + RECORD.timestampMillis()
            + "}";

    assertThat(encoded(MessageFormat.JSON, RECORD)).isEqualTo(object);
    assertThat(encoded(MessageFormat.JSON, RECORD, RECORD))
        .isEqualTo("[" + object + "," + object + "]");
    assertThat(encoded(MessageFormat.NDJSON, RECORD, RECORD))
        .isEqualTo(object + "\n" + object + "\n");
  }

  @Test
  void jsonStatesAPositionBesideTheCellOrInsteadOfIt() {
    Place cell = RECORD.place();
    Fix full =
        new Fix(
            new Position(-122.4, 37.75), PositionSource.GNSS, 12.5, -3.0, "{\"type\":\"Point\"}");
    Fix bare = new Fix(new Position(0, -1e-5), PositionSource.NETWORK);

    assertThat(encoded(MessageFormat.JSON, at(Place.of(cell.cell(), cell.radio(), full))))
        .isEqualTo(
            "{\"user\":\"350000000007919\",\"cell\":{\"radio\":\"LTE\",\"mcc\":234,\"mnc\":10,"
                + "\"area\":4021,\"cid\":20911362},\"ts\":"
                + RECORD.timestampMillis()
                + ",\"position\":{\"lon\":-122.4,\"lat\":37.75,\"accuracy\":12.5,\"altitude\":-3.0,"
                + "\"source\":\"gnss\"}}");
    assertThat(encoded(MessageFormat.NDJSON, at(new Place.AtFix(bare))))
        .isEqualTo(
            "{\"user\":\"350000000007919\",\"ts\":"
                + RECORD.timestampMillis()
                + ",\"position\":{\"lon\":0.0,\"lat\":-1.0E-5,\"source\":\"network\"}}");
  }

  @ParameterizedTest
  @EnumSource(names = {"ARCANUM", "MLP"})
  void aFormatWithoutPositionsLeavesTheCellAndRefusesARecordWithoutOne(MessageFormat format) {
    RecordEncoder encoder = format.newEncoder();
    Fix fix = new Fix(new Position(-122.4, 37.75), PositionSource.GNSS);
    LocationRecord both = at(Place.of(RECORD.cell(), RECORD.radio(), fix));

    assertThat(format.hasPositions()).isFalse();
    assertThat(encoder.asRead(both)).isEqualTo(encoder.asRead(RECORD));
    assertThat(encoder.encode(List.of(both), 1)).isEqualTo(encoder.encode(List.of(RECORD), 1));
    assertThatThrownBy(() -> encoder.encode(List.of(at(new Place.AtFix(fix))), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("record: expected a cell, as the format has no positions");
  }

  private static LocationRecord at(Place place) {
    return new LocationRecord(RECORD.user(), place, RECORD.timestampMillis());
  }

  @ParameterizedTest
  @EnumSource
  void noRecordIsNoMessage(MessageFormat format) {
    RecordEncoder encoder = format.newEncoder();

    assertThatThrownBy(() -> encoder.encode(List.of(), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("records: expected at least one");
  }

  @Property
  void whatIsWrittenIsReadBackByAnotherReader(
      @ForAll MessageFormat format,
      @ForAll @Size(min = 1, max = 5) List<@net.jqwik.api.From("records") LocationRecord> records)
      throws IOException {
    RecordEncoder encoder = format.newEncoder();
    List<LocationRecord> expected =
        records.stream()
            .map(record -> format.hasPositions() ? record : atCell(record))
            .map(encoder::asRead)
            .toList();

    byte[] message = encoder.encode(expected, 1);

    assertThat(PlainReader.read(format, message)).isEqualTo(expected);
    assertThat(format.newEncoder().encode(expected, 1)).isEqualTo(message);
  }

  @Property
  void everyTimeIsWrittenAsTheJdkWritesIt(@ForAll("times") long timestampMillis) {
    String written =
        new String(
            new MessageBuffer().isoTime(timestampMillis).toBytes(), StandardCharsets.US_ASCII);

    assertThat(Instant.parse(written)).isEqualTo(Instant.ofEpochMilli(timestampMillis));
    assertThat(encoded(MessageFormat.ARCANUM, recordAt(timestampMillis))).contains(written);
  }

  @Provide
  Arbitrary<LocationRecord> records() {
    Arbitrary<String> users =
        Arbitraries.strings()
            .withCharRange(' ', '~')
            .withChars("<>&\"'\\\t\n\ré漢😀")
            .ofMinLength(1)
            .ofMaxLength(20)
            .filter(RecordEncoderTest::hasWholeCharacters);
    Arbitrary<CellId> cells =
        Combinators.combine(
                Arbitraries.integers().between(0, CellId.MAX_MCC),
                Arbitraries.integers().between(0, CellId.MAX_MNC),
                Arbitraries.integers().between(CellId.NO_AREA, CellId.MAX_AREA),
                Arbitraries.longs().between(0, CellId.MAX_CID))
            .as(CellId::new);
    Arbitrary<Fix> fixes =
        Combinators.combine(
                Arbitraries.doubles().between(-180, 180).ofScale(9),
                Arbitraries.doubles().between(-90, 90).ofScale(9),
                Arbitraries.of(PositionSource.GNSS, PositionSource.NETWORK),
                Arbitraries.doubles().between(0.01, 1e9).injectNull(0.3),
                Arbitraries.doubles().between(-1e4, 1e7).injectNull(0.3))
            .as(
                (lon, lat, source, accuracy, altitude) ->
                    new Fix(new Position(lon, lat), source, accuracy, altitude, null));
    Arbitrary<Place> places =
        Combinators.combine(
                cells, Arbitraries.of(Radio.class).injectNull(0.2), fixes, Arbitraries.of(0, 1, 2))
            .as(
                (cell, radio, fix, kind) ->
                    switch (kind) {
                      case 0 -> Place.of(cell, radio, null);
                      case 1 -> Place.of(null, null, fix);
                      default -> Place.of(cell, radio, fix);
                    });
    return Combinators.combine(users, places, times()).as(LocationRecord::new);
  }

  /** Returns the record, at any cell if it has none. */
  private static LocationRecord atCell(LocationRecord record) {
    return record.cell() != null
        ? record
        : new LocationRecord(record.user(), RECORD.place(), record.timestampMillis());
  }

  /** An unpaired surrogate is not a character, and has no bytes in UTF-8. */
  private static boolean hasWholeCharacters(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  @Provide
  Arbitrary<Long> times() {
    return Arbitraries.longs()
        .between(
            Instant.parse("1900-01-01T00:00:00Z").toEpochMilli(),
            Instant.parse("2400-01-01T00:00:00Z").toEpochMilli());
  }

  private static String encoded(MessageFormat format, LocationRecord... records) {
    return new String(format.newEncoder().encode(List.of(records), 1), StandardCharsets.UTF_8);
  }
}
