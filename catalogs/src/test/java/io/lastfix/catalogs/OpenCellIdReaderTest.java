package io.lastfix.catalogs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.CellId;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OpenCellIdReaderTest {
  private static final String HEADER =
      "radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal";
  private static final String LINE =
      "LTE,311,480,9728,9903886,0,-122.393744,37.788097,1000,21,1,1458613761,1491242559,0";
  private static final CatalogRow ROW =
      new CatalogRow(
          new CellId(311, 480, 9728, 9903886),
          Radio.LTE,
          new Position(-122.393744, 37.788097),
          1_000,
          1_491_242_559_000L);

  private final List<CatalogRow> rows = new ArrayList<>();

  private OpenCellIdReader.Summary read(double maxBadShare, byte[] file)
      throws IOException, CatalogRefusedException {
    return new OpenCellIdReader(maxBadShare)
        .read(new ByteArrayInputStream(file), "towers.csv", rows::add);
  }

  private OpenCellIdReader.Summary read(String... lines)
      throws IOException, CatalogRefusedException {
    return read(1, String.join("\n", lines).getBytes(UTF_8));
  }

  @Test
  void aFileWithAHeaderLineIsRead() throws Exception {
    assertThat(read(HEADER, LINE)).isEqualTo(new OpenCellIdReader.Summary(1, 0));
    assertThat(rows).containsExactly(ROW);
  }

  @Test
  void aFileWithoutAHeaderLineIsReadInTheDefaultOrder() throws Exception {
    read(LINE, LINE);
    assertThat(rows).containsExactly(ROW, ROW);
  }

  @Test
  void aHeaderLineSaysWhichColumnIsWhere() throws Exception {
    read(
        "Updated,lat,lon,cell,area,net,mcc,extra,radio,RANGE",
        "1491242559,37.788097,-122.393744,9903886,9728,480,311,x,LTE,1000");
    assertThat(rows).containsExactly(ROW);
  }

  @Test
  void quotesCarriageReturnsBlanksEmptyLinesAndAByteOrderMarkAreTolerated() throws Exception {
    read(
        "\uFEFF" + HEADER + "\r",
        "\r",
        LINE.replace("LTE", "\"LTE\"").replace(",480", ", 480 ") + "\r");
    assertThat(rows).containsExactly(ROW);
  }

  @Test
  void aByteOrderMarkBeforeARowIsTolerated() throws Exception {
    read("\uFEFF" + LINE);
    assertThat(rows).containsExactly(ROW);
  }

  @Test
  void aGzipFileIsRecognisedByItsContent() throws Exception {
    read(0, gzip(HEADER + "\n" + LINE));
    assertThat(rows).containsExactly(ROW);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n\n", HEADER, HEADER + "\n"})
  void aFileWithoutARowIsRefused(String file) {
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(CatalogRefusedException.class)
        .hasMessage("towers.csv: refused: it has no rows; check that the download is complete");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "?", "99999999999"})
  void aRangeThatIsNoNumberOfMetresIsUnknown(String range) throws Exception {
    read(LINE.replace(",1000,", "," + range + ","));
    assertThat(rows).extracting(CatalogRow::rangeMeters).containsExactly(0);
  }

  @Test
  void aFileWithoutTheColumnOfTheRangeIsRead() throws Exception {
    read(HEADER.replace(",range", ""), LINE.replace(",1000,", ","));
    assertThat(rows).extracting(CatalogRow::rangeMeters).containsExactly(0);
  }

  @Test
  void anNrRowWithACellIdOf36BitsIsRead() throws Exception {
    read(LINE.replace("LTE", "NR").replace("9903886", "68719476735"));
    assertThat(rows).extracting(CatalogRow::radio).containsExactly(Radio.NR);
    assertThat(rows).extracting(row -> row.cell().cid()).containsExactly(CellId.MAX_CID);
  }

  @ParameterizedTest
  @CsvSource({"1491242559,1491242559000", "0,1458613761000", "'',1458613761000"})
  void aRowWithoutUpdatedTakesCreated(String updated, long expectedMillis) throws Exception {
    read(LINE.replace("1491242559", updated));
    assertThat(rows).extracting(CatalogRow::updatedMillis).containsExactly(expectedMillis);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "LTE,     | 6G,         | radio: expected one of a known kind",
        "LTE,     | ,           | 'radio: expected a value, found nothing'",
        "311      | x           | mcc: expected a whole number",
        "311      | 1000        | 'mcc: expected 0 to 999, found 1000'",
        "480      | 99999999999 | net: out of range",
        "9728     | -1          | area: expected 0 or more",
        "9903886  | 68719476736 | 'cid: expected 0 to 68719476735, found 68719476736'",
        "-122.393744 | 181      | 'lon: expected -180 to 180, found 181.0'",
        "37.788097   | NaN      | 'lat: expected -90 to 90, found NaN'",
        "37.788097   | ?        | lat: expected degrees",
        "1458613761,1491242559 | 0,0 | 'updated: expected seconds since 1970, found nothing'",
        "1491242559 | 1491242559000 | updated: expected seconds since 1970",
        "1491242559 | -5          | updated: expected seconds since 1970",
      })
  void aBadRowIsSkippedForAReason(String good, String bad, String reason) throws Exception {
    String line = LINE.replace(good, bad);
    assertThat(read(LINE, line)).isEqualTo(new OpenCellIdReader.Summary(1, 1));
    assertThat(rows).containsExactly(ROW);
    assertThatThrownBy(() -> read(0, line.getBytes(UTF_8)))
        .hasMessageEndingWith("line 1: " + reason);
  }

  @Test
  void aRowThatIsTooShortIsSkipped() throws Exception {
    assertThat(read(LINE, "LTE,311,480")).isEqualTo(new OpenCellIdReader.Summary(1, 1));
  }

  @Test
  void linesLostToAQuoteThatIsNeverClosedCountAsBad() throws Exception {
    assertThat(read(LINE, "\"LTE,311", LINE, LINE)).isEqualTo(new OpenCellIdReader.Summary(1, 3));
  }

  /**
   * No code reads the column after the stray quote, so only the line count reveals the lost lines.
   */
  @Test
  void aStrayQuoteInAColumnNobodyReadsDoesNotHideTheLinesAfterIt() throws Exception {
    List<String> lines = new ArrayList<>(Collections.nCopies(1_000, LINE));
    lines.set(10, LINE.substring(0, LINE.length() - 1) + "\"0");
    String file = String.join("\n", lines) + "\n";

    assertThat(read(1, file.getBytes(UTF_8))).isEqualTo(new OpenCellIdReader.Summary(10, 990));
    assertThat(rows).hasSize(10);
    assertThatThrownBy(() -> read(0.1, file.getBytes(UTF_8)))
        .isInstanceOf(CatalogRefusedException.class)
        .hasMessageEndingWith("line 11: a quote is not closed, or holds a line break");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  void linesBetweenTwoStrayQuotesAreBadAndTheOnesAfterThemAreRead(String lineBreak)
      throws Exception {
    String opens = LINE.substring(0, LINE.length() - 1) + "\"0";
    String closes = LINE.replace(",21,", ",21\",");
    String file = String.join(lineBreak, LINE, opens, LINE, closes, LINE);

    assertThat(read(1, file.getBytes(UTF_8))).isEqualTo(new OpenCellIdReader.Summary(2, 3));
  }

  @Test
  void aStrayQuoteInTheLastLineLosesNoOtherLine() throws Exception {
    assertThat(read(LINE, LINE.replace("LTE", "\"LTE"), "", ""))
        .isEqualTo(new OpenCellIdReader.Summary(1, 1));
    assertThat(read(LINE, LINE.substring(0, LINE.length() - 1) + "\"0", "", ""))
        .isEqualTo(new OpenCellIdReader.Summary(2, 0));
  }

  @Test
  void aHeaderWithAStrayQuoteIsRefused() {
    assertThatThrownBy(() -> read(HEADER.replace("averageSignal", "\"averageSignal"), LINE, LINE))
        .isInstanceOf(CatalogRefusedException.class)
        .hasMessage("towers.csv: header: a quote is not closed, or holds a line break");
  }

  @Test
  void everyMemberOfAGzipFileIsRead() throws Exception {
    assertThat(read(0, members(gzip(HEADER + "\n" + LINE), gzip("\n" + LINE), gzip("\n" + LINE))))
        .isEqualTo(new OpenCellIdReader.Summary(3, 0));
  }

  /** Bytes after a first, complete member with one row, and the expected result. */
  static Stream<Arguments> damagedEnds() throws IOException {
    byte[] second = gzip("\n" + LINE);
    byte[] badMagic = second.clone();
    badMagic[0]++;
    byte[] badMethod = second.clone();
    badMethod[2]++;
    byte[] badFlags = second.clone();
    badFlags[3] = (byte) 0x80;
    byte[] badChecksum = second.clone();
    badChecksum[second.length - 8]++;
    byte[] badLength = second.clone();
    badLength[second.length - 1]++;
    return Stream.of(
        Arguments.of(badMagic, "does not begin like one"),
        Arguments.of(badMethod, "unknown compression"),
        Arguments.of(badFlags, "unknown flags"),
        Arguments.of(badChecksum, "its checksum is not that of its contents"),
        Arguments.of(badLength, "its length is not that of its contents"),
        Arguments.of(new byte[] {0, 0}, "does not begin like one"),
        Arguments.of(Arrays.copyOf(second, 1), "cut short"),
        Arguments.of(Arrays.copyOf(second, 5), "cut short"),
        Arguments.of(Arrays.copyOf(second, 12), "cut short"),
        Arguments.of(Arrays.copyOf(second, second.length - 1), "cut short"));
  }

  @ParameterizedTest
  @MethodSource("damagedEnds")
  void aDamagedLaterGzipMemberIsRefused(byte[] second, String reason) throws IOException {
    byte[] file = members(gzip(HEADER + "\n" + LINE), second);

    assertThatThrownBy(() -> read(1, file))
        .isInstanceOf(CatalogRefusedException.class)
        .hasMessage(
            "towers.csv: refused: it is not a complete gzip file; download it again: gzip member 2: "
                + reason);
  }

  @Test
  void aFileThatCannotBeReadFailsWithItsName() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("disk on fire");
          }

          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            return read();
          }
        };
    InputStream file =
        new SequenceInputStream(new ByteArrayInputStream(LINE.getBytes(UTF_8)), broken);

    assertThatThrownBy(() -> new OpenCellIdReader(1).read(file, "towers.csv", rows::add))
        .isInstanceOf(IOException.class)
        .hasMessage("towers.csv: disk on fire");
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(UTF_8));
    }
    return bytes.toByteArray();
  }

  private static byte[] members(byte[]... members) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte[] member : members) {
      bytes.writeBytes(member);
    }
    return bytes.toByteArray();
  }

  @Test
  void aFileWithTooManyBadRowsIsRefusedWithTheFirstFiveReasons() {
    String file = HEADER + ("\n" + LINE).repeat(3) + "\nx".repeat(7);
    assertThatThrownBy(() -> read(0.1, file.getBytes(UTF_8)))
        .isInstanceOf(CatalogRefusedException.class)
        .hasMessage(
            "towers.csv: refused: 7 of 10 rows are bad, and at most 0.1 of them may be. The first:"
                + " line 5: mcc: expected a value, found nothing;"
                + " line 6: mcc: expected a value, found nothing;"
                + " line 7: mcc: expected a value, found nothing;"
                + " line 8: mcc: expected a value, found nothing;"
                + " line 9: mcc: expected a value, found nothing");
  }

  @Test
  void aFileWithJustAsManyBadRowsAsAllowedIsRead() throws Exception {
    String file = HEADER + ("\n" + LINE).repeat(9) + "\nx";
    assertThat(read(0.1, file.getBytes(UTF_8))).isEqualTo(new OpenCellIdReader.Summary(9, 1));
  }

  @Test
  void aHeaderWithoutANeededColumnIsRefused() {
    assertThatThrownBy(() -> read("radio,mcc,net,area,lon,lat,updated", "LTE,1,2,3,4,5,6"))
        .isInstanceOf(CatalogRefusedException.class)
        .hasMessage("towers.csv: header: expected a column cell");
  }

  @Test
  void aShareOutsideOfZeroToOneIsRefused() {
    assertThatThrownBy(() -> new OpenCellIdReader(1.5))
        .hasMessage("maxBadShare: expected 0 to 1, found 1.5");
  }
}
