package io.lastfix.model.located;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Radio;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LocatedRecordCodecTest {
  private static final HexFormat HEX = HexFormat.ofDelimiter(" ");
  private static final byte[] KEY = {'u'};
  private static final CellId CELL = CellId.parse("311-480-9728-9903886");
  private static final Position TOWER = new Position(-122.5, 37.75);
  private static final Position OWN = new Position(-122.25, 37.5);
  private static final long TS = 1_767_225_600_000L;

  /** The zigzag of that time. */
  private static final String AT_TS = "80 a0 d5 ed ee 66";

  private static final String AT_CELL = "b7 02 e0 03 81 4c 8e be dc 04";
  private static final String AT_TOWER = "c0 5e a0 00 00 00 00 00 40 42 e0 00 00 00 00 00";
  private static final String AT_OWN = "c0 5e 90 00 00 00 00 00 40 42 c0 00 00 00 00 00";

  /** Consumers in other languages read these bytes: a change needs a new version. */
  @Test
  void theBytesOfVersion1AreFixed() {
    assertThat(hex(new LocatedRecord("u", CELL, TS, TOWER)))
        .as("a cell that the catalogue knows")
        .isEqualTo("01 05 " + AT_TS + " " + AT_CELL + " " + AT_TOWER);
    assertThat(
            hex(
                record(
                    new Place.AtCell(CellId.parse("999-32767-16777215-68719476735"), Radio.NR),
                    Long.MIN_VALUE,
                    null,
                    false)))
        .as("the greatest cell, which is unknown, at the least time")
        .isEqualTo(
            "01 51 ff ff ff ff ff ff ff ff ff 01 e7 07 ff ff 01 80 80 80 08 ff ff ff ff ff 01");
    assertThat(hex(record(new Place.AtCell(CellId.parse("1-2--3"), Radio.LTE), -1, null, false)))
        .as("a cell without an area, before 1970")
        .isEqualTo("01 41 01 01 02 00 03");
    assertThat(hex(record(new Place.AtFix(new Fix(OWN, PositionSource.NETWORK)), TS, null, false)))
        .as("a position of its own, and no cell")
        .isEqualTo("01 02 " + AT_TS + " " + AT_OWN + " 02 00");
    assertThat(
            hex(
                record(
                    new Place.AtFixAndCell(
                        new Fix(OWN, PositionSource.MLP, 20.0, -1.5, "{}"), CELL, Radio.GSM),
                    TS,
                    TOWER,
                    true)))
        .as("everything, without the fix's shape")
        .isEqualTo(
            "01 1f "
                + AT_TS
                + " "
                + AT_CELL
                + " "
                + AT_OWN
                + " 03 03 40 34 00 00 00 00 00 00 bf f8 00 00 00 00 00 00 "
                + AT_TOWER);
  }

  /** The page describes the bytes for consumers in other languages. */
  @Test
  void theManualHasTheseBytesAndCodes() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "reference", "topics.md"));
    byte[] example = LocatedRecordCodec.write(new LocatedRecord("u", CELL, TS, TOWER));

    assertThat(page.replace(" ", "")).contains("\n" + HexFormat.of().formatHex(example) + "\n");
    assertThat(page)
        .contains(
            "A record at a known cell has %d bytes".formatted(example.length),
            "| value | 1 byte version (%d), 1 byte flags".formatted(example[0]),
            Arrays.stream(Radio.values())
                .map(radio -> ", %d %s".formatted(radio.code(), radio))
                .collect(Collectors.joining("", "radio, 0 none", ";")),
            Arrays.stream(PositionSource.values())
                .filter(source -> source != PositionSource.CELL)
                .map(source -> "%d %s".formatted(source.code(), source.text()))
                .collect(Collectors.joining(", ", "1 byte source (", ")")));
  }

  @Test
  void theKeyIsTheUser() {
    assertThat(LocatedRecordCodec.key(new LocatedRecord("ü1", CELL, TS, null)))
        .isEqualTo("ü1".getBytes(UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          '',                            cut off after 0 bytes
          00 41 01 01 02 00 03,          'version: expected 1, found 0'
          02 41 01 01 02 00 03,          'version: expected 1, found 2'
          01 c1 01 01 02 00 03,          'flags: unknown, found 0xc1'
          01 00 01,                      flags: expected a cell or a fix
          01 61 01 01 02 00 03,          Unknown radio code 6
          01 41 01 01 02 00,             cut off after 6 bytes
          01 41 01 01 02 00 03 00 00,    2 bytes after the last field
          01 09 01 01 02 00 03,          isFar: expected a position and a known cell
          01 41 01 e8 07 02 00 03,       'mcc: expected 0 to 999, found 1000'
          01 41 01 01 80 80 02 00 03,    'mnc: expected 0 to 32767, found 32768'
          01 41 01 01 02 81 80 80 08 03, 'area + 1: expected 0 to 16777216, found 16777217'
          01 41 01 01 02 00 80 80 80 80 80 02, 'cid: expected 0 to 68719476735, found 68719476736'
          01 41 80 80 80 80 80 80 80 80 80 02, varint: expected at most 64 bits
          01 41 01 ff ff ff ff ff ff ff ff ff 01, 'mcc: expected 0 to 999, found 18446744073709551615'
          """)
  void otherBytesAreRefusedAndTheReasonIsNamed(String hex, String reason) {
    assertRefused(hex, reason);
  }

  @Test
  void aFixThatNoRecordHasIsRefused() {
    assertRefused("01 12 01 " + AT_OWN + " 02 00", "flags: expected no radio, as there is no cell");
    assertRefused("01 02 01 " + AT_OWN + " 04 00", "Unknown position source 4");
    assertRefused(
        "01 02 01 " + AT_OWN + " 00 00", "source: expected gnss, network or mlp, found cell");
    assertRefused("01 02 01 " + AT_OWN + " 02 04", "flags of the fix: unknown, found 0x04");
    assertRefused(
        "01 02 01 " + AT_OWN + " 02 01 00 00 00 00 00 00 00 00",
        "accuracy: expected metres, more than 0, found 0.0");
    assertRefused(
        "01 02 01 " + AT_OWN + " 02 02 7f f0 00 00 00 00 00 00",
        "altitude: expected metres, found Infinity");
    assertRefused(
        "01 02 01 7f f8 00 00 00 00 00 00 00 00 00 00 00 00 00 00 02 00",
        "lon: expected -180 to 180, found NaN");
    assertRefused(
        "01 06 01 " + AT_OWN + " 02 00 " + AT_TOWER,
        "cellPosition: expected none, as the place has no cell");
  }

  @Test
  void aMessageWithoutAUserOrAValueIsRefused() {
    byte[] value = LocatedRecordCodec.write(new LocatedRecord("u", CELL, TS, null));

    assertRefused(null, value, "key: expected a user, found nothing");
    assertRefused(new byte[0], value, "key: expected a user, found nothing");
    assertRefused(new byte[] {(byte) 0xff}, value, "key: expected UTF-8");
    assertRefused(KEY, null, "value: expected bytes, found nothing");
  }

  @Property(tries = 1_000)
  void whatIsWrittenIsReadAgain(@ForAll("records") LocatedRecord record) throws Exception {
    assertThat(
            LocatedRecordCodec.read(
                LocatedRecordCodec.key(record), LocatedRecordCodec.write(record)))
        .isEqualTo(record);
  }

  @Property(tries = 300)
  void aValueThatIsCutOffIsRefused(@ForAll("records") LocatedRecord record) {
    byte[] value = LocatedRecordCodec.write(record);
    for (int length = 0; length < value.length; length++) {
      assertRefused(KEY, Arrays.copyOf(value, length), "cut off after %d bytes".formatted(length));
    }
  }

  /** Half of them begin with the right version, so that more than the version is tested. */
  @Property(tries = 5_000)
  void anyBytesAreReadOrRefused(@ForAll byte[] key, @ForAll byte[] value, @ForAll boolean is1) {
    if (is1 && value.length > 0) {
      value[0] = 1;
    }
    try {
      assertThat(LocatedRecordCodec.read(key, value)).isNotNull();
    } catch (LocatedRecordFormatException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }

  /** One wrong byte in a valid message reaches every check. */
  @Property(tries = 2_000)
  void aDamagedMessageIsReadOrRefused(
      @ForAll("records") LocatedRecord record, @ForAll int place, @ForAll byte wrong) {
    byte[] value = LocatedRecordCodec.write(record);
    value[Math.floorMod(place, value.length)] = wrong;
    try {
      assertThat(LocatedRecordCodec.read(KEY, value)).isNotNull();
    } catch (LocatedRecordFormatException refused) {
      assertThat(refused.getMessage()).isNotBlank();
    }
  }

  @Provide
  Arbitrary<LocatedRecord> records() {
    Arbitrary<String> users =
        Arbitraries.strings().withCharRange(' ', '\u07ff').ofMinLength(1).ofMaxLength(20);
    Arbitrary<Position> positions =
        Combinators.combine(
                Arbitraries.doubles().between(-180, 180), Arbitraries.doubles().between(-90, 90))
            .as(Position::new);
    Arbitrary<CellId> cells =
        Combinators.combine(
                Arbitraries.integers().between(0, CellId.MAX_MCC),
                Arbitraries.integers().between(0, CellId.MAX_MNC),
                Arbitraries.integers().between(CellId.NO_AREA, CellId.MAX_AREA),
                Arbitraries.longs().between(0, CellId.MAX_CID))
            .as(CellId::new);
    Arbitrary<Fix> fixes =
        Combinators.combine(
                positions,
                Arbitraries.of(PositionSource.GNSS, PositionSource.NETWORK, PositionSource.MLP),
                Arbitraries.doubles().between(0.01, 1e6).injectNull(0.3),
                Arbitraries.doubles().between(-1e5, 1e5).injectNull(0.3))
            .as(
                (position, source, accuracy, altitude) ->
                    new Fix(position, source, accuracy, altitude, null));
    return Combinators.combine(
            users,
            cells.injectNull(0.2),
            Arbitraries.of(Radio.class).injectNull(0.3),
            fixes.injectNull(0.5),
            Arbitraries.longs(),
            positions.injectNull(0.3),
            Arbitraries.of(true, false))
        .filter(
            (user, cell, radio, fix, millis, cellPosition, isFar) -> cell != null || fix != null)
        .as(
            (user, cell, radio, fix, millis, cellPosition, isFar) -> {
              Position ofCell = cell == null ? null : cellPosition;
              return new LocatedRecord(
                  user,
                  Place.of(cell, radio, fix),
                  millis,
                  ofCell,
                  isFar && ofCell != null && fix != null);
            });
  }

  private static LocatedRecord record(
      Place place, long timestampMillis, @Nullable Position cellPosition, boolean isFar) {
    return new LocatedRecord("u", place, timestampMillis, cellPosition, isFar);
  }

  private static void assertRefused(String hex, String reason) {
    assertRefused(KEY, hex.isEmpty() ? new byte[0] : HEX.parseHex(hex), reason);
  }

  private static void assertRefused(byte @Nullable [] key, byte @Nullable [] value, String reason) {
    assertThatThrownBy(() -> LocatedRecordCodec.read(key, value))
        .isInstanceOf(LocatedRecordFormatException.class)
        .hasMessage(reason);
  }

  private static String hex(LocatedRecord record) {
    return HEX.formatHex(LocatedRecordCodec.write(record));
  }
}
