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

  private static final long READ_MILLIS = 1_795_176_000_000L;

  private final List<CatalogRow> rows = new ArrayList<>();

  private OpenCellIdReader.Summary read(double maxBadShare, byte[] file)
      throws IOException, CatalogRefusedException {
    return new OpenCellIdReader(maxBadShare, READ_MILLIS)
        .read(new ByteArrayInputStream(file), "towers.csv", rows::add);
  }

  private OpenCellIdReader.Summary read(String... lines)
      throws IOException, CatalogRefusedException {
    return read(1, String.join("\n", lines).getBytes(UTF_8));
  }

  private static OpenCellIdReader.Summary summary(long goodRows, long badRows) {
    return new OpenCellIdReader.Summary(goodRows, badRows, 0, null);
  }

  private void assertRefused(String problem, String... lines) {
    assertThatThrownBy(() -> read(lines))
        .isInstanceOf(CatalogRefusedException.class)
        .hasMessage(
            "towers.csv: refused: line 1 is neither a row of data in the columns "
                + HEADER
                + " nor a complete header: "
                + problem);
  }

  @Test
  void aFileWithAHeaderLineIsRead() throws Exception {
    assertThat(read(HEADER, LINE)).isEqualTo(summary(1, 0));
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
  @ValueSource(strings = {"", "\n", "\n\n", "\uFEFF", HEADER, HEADER + "\n"})
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
    assertThat(read(LINE, line)).isEqualTo(summary(1, 1));
    assertThat(rows).containsExactly(ROW);
    assertThatThrownBy(() -> read(0, (LINE + "\n" + line).getBytes(UTF_8)))
        .hasMessageEndingWith("line 2: " + reason);
  }

  @Test
  void aRowThatIsTooShortIsSkipped() throws Exception {
    assertThat(read(LINE, "LTE,311,480")).isEqualTo(summary(1, 1));
  }

  @Test
  void linesLostToAQuoteThatIsNeverClosedCountAsBad() throws Exception {
    assertThat(read(LINE, "\"LTE,311", LINE, LINE)).isEqualTo(summary(1, 3));
  }

  /**
   * No code reads the column after the stray quote, so only the line count reveals the lost lines.
   */
  @Test
  void aStrayQuoteInAColumnNobodyReadsDoesNotHideTheLinesAfterIt() throws Exception {
    List<String> lines = new ArrayList<>(Collections.nCopies(1_000, LINE));
    lines.set(10, LINE.substring(0, LINE.length() - 1) + "\"0");
    String file = String.join("\n", lines) + "\n";

    assertThat(read(1, file.getBytes(UTF_8))).isEqualTo(summary(10, 990));
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

    assertThat(read(1, file.getBytes(UTF_8))).isEqualTo(summary(2, 3));
  }

  @Test
  void aStrayQuoteInTheLastLineLosesNoOtherLine() throws Exception {
    assertThat(read(LINE, LINE.replace("LTE", "\"LTE"), "", "")).isEqualTo(summary(1, 1));
    assertThat(read(LINE, LINE.substring(0, LINE.length() - 1) + "\"0", "", ""))
        .isEqualTo(summary(2, 0));
  }

  @Test
  void aHeaderWithAStrayQuoteIsRefused() {
    assertRefused(
        "a quote is not closed, or holds a line break",
        HEADER.replace("averageSignal", "\"averageSignal"),
        LINE,
        LINE);
  }

  @Test
  void everyMemberOfAGzipFileIsRead() throws Exception {
    assertThat(read(0, members(gzip(HEADER + "\n" + LINE), gzip("\n" + LINE), gzip("\n" + LINE))))
        .isEqualTo(summary(3, 0));
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
            "towers.csv: refused: it is not a complete gzip file; download it again: gzip member 2:"
                + " "
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

    assertThatThrownBy(
            () -> new OpenCellIdReader(1, READ_MILLIS).read(file, "towers.csv", rows::add))
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
    assertThat(read(0.1, file.getBytes(UTF_8))).isEqualTo(summary(9, 1));
  }

  @Test
  void aHeaderIsRefusedWithAllColumnsThatItLacks() {
    assertRefused("it lacks cell", "radio,mcc,net,area,lon,lat,updated", "LTE,1,2,3,4,5,6");
    assertRefused("it lacks radio, net, lon", "mcc,area,cell,breite,lat", LINE);
    assertRefused("it has the column lat twice", HEADER.replace("unit", "lat"), LINE);
  }

  /** The default order would exchange what these files exchange. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Funk,MCC,MNC,Bereich,Zelle,Einheit,Breite,Länge,Radius,n,fest,von,bis,Pegel",
        "towers of November",
        "0,1,2,3,4,5,6,7,8,9,10,11,12,13",
        "LTE,311,480,9728,9903886,0,-122.393744",
        "LTE,311,480,9728,9903886,0,-122.393744,north,1000,21,1,1458613761,1491242559,0",
      })
  void aFirstLineThatIsNeitherARowNorAHeaderIsNotTakenForABadRow(String first) {
    assertThatThrownBy(() -> read(first, LINE))
        .isInstanceOf(CatalogRefusedException.class)
        .hasMessageContaining("line 1 is neither a row of data");
    assertThat(rows).isEmpty();
  }

  /** A record of that form is a row, though not one that can be used. */
  @ParameterizedTest
  @CsvSource({"LTE,6G", "311,1000", "37.788097,NaN", "1491242559,yesterday"})
  void aFirstLineThatIsABadRowIsSkipped(String good, String bad) throws Exception {
    assertThat(read(LINE.replace(good, bad), LINE)).isEqualTo(summary(1, 1));
    assertThat(rows).containsExactly(ROW);
  }

  @ParameterizedTest
  @ValueSource(strings = {";", "\t", "|"})
  void aFileWithoutCommasIsRefusedWithWhatToDo(String separator) {
    String hint =
        ". Save the file with commas between the columns, not '%s', and with points in the numbers"
            .formatted(separator.equals("\t") ? "tab" : separator);

    assertRefused(
        "it lacks radio, mcc, net, area, cell, lon, lat" + hint, HEADER.replace(",", separator));
    assertRefused(
        "it lacks radio, mcc, net, area, cell, lon, lat" + hint,
        LINE.replace(",", separator).replace('.', ','));
  }

  /** As PowerShell's Export-Csv writes them, and Windows' editors. */
  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16LE", "UTF-16BE"})
  void aByteOrderMarkBeforeQuotesIsTolerated(String charset) throws Exception {
    String quotedHeader =
        "\uFEFF\"updated\",\"lat\",\"lon\",\"cell\",\"area\",\"net\",\"mcc\",\"radio\"";
    String quotedRow =
        "\"1491242559\",\"37.788097\",\" -122.393744\",\"9903886\",\"9728\",\"480\",\"311\",\"LTE\""
            + " ";
    String quotedLine = "\uFEFF\"" + LINE.replace(",", "\",\"") + "\"";

    read(1, (quotedHeader + "\r\n" + quotedRow + "\r\n").getBytes(charset));
    read(1, quotedLine.getBytes(charset));

    assertThat(rows)
        .extracting(CatalogRow::position)
        .containsExactly(ROW.position(), ROW.position());
    assertThat(rows).extracting(CatalogRow::cell).containsExactly(ROW.cell(), ROW.cell());
  }

  /** Read as UTF-8, its header has the letters of the names, and none of the rows is one. */
  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE"})
  void utf16WithoutAMarkIsRefusedWithWhatToDo(String charset) {
    assertThatThrownBy(() -> read(1, (HEADER + "\n" + LINE + "\n").getBytes(charset)))
        .isInstanceOf(CatalogRefusedException.class)
        .hasMessageContaining("line 1 is neither a row")
        .hasMessageEndingWith(
            "it has NUL characters; save the file as UTF-8, or as UTF-16 with a byte order mark");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lat,lon,mcc,mnc,lac,cellid,radio,updated",
        "Latitude,Longitude,MCC,MNC,TAC,CID,Radio Type,Updated_At",
        "lat,lng,mcc,net,area,Cell_ID,radioType,createdAt",
        " lat,LONG,mcc,mnc,lac,cellId,radio,created",
      })
  void columnsHaveTheNamesThatAreInUse(String header) throws Exception {
    read(header, "37.788097,-122.393744,311,480,9728,9903886,LTE,1491242559");
    assertThat(rows)
        .containsExactly(
            new CatalogRow(ROW.cell(), Radio.LTE, ROW.position(), 0, ROW.updatedMillis()));
  }

  /** It states no time, and gives the cell and the area twice: cid is only the cell's part. */
  @Test
  void anAnswerOfOpenCellIdsApiIsOfTheTimeAtWhichItIsRead() throws Exception {
    read(
        "lat,lon,mcc,mnc,lac,cellid,averageSignalStrength,range,samples,changeable,radio,rnc,cid,psc,tac,pci,sid,nid,bid",
        "54.7,25.2,246,3,20,70000,0,-1,1,1,UMTS,1,4464,,,,,,");
    assertThat(rows)
        .containsExactly(
            new CatalogRow(
                new CellId(246, 3, 20, 70_000),
                Radio.UMTS,
                new Position(25.2, 54.7),
                0,
                READ_MILLIS));
  }

  /** Files of several countries are joined with cat; each begins with a header, and a mark. */
  @Test
  void aFurtherHeaderHoldsForTheRowsAfterIt() throws Exception {
    assertThat(
            read(
                HEADER,
                LINE,
                HEADER,
                LINE,
                "\uFEFF\"updated\",lat,lon,cell,area,net,mcc,radio,range",
                "1491242559,37.788097,-122.393744,9903886,9728,480,311,LTE,1000"))
        .isEqualTo(summary(3, 0));
    assertThat(rows).containsExactly(ROW, ROW, ROW);
  }

  @Test
  void aFurtherHeaderThatLacksColumnsIsNotTakenForABadRow() {
    assertThatThrownBy(() -> read(LINE, HEADER.replace("lat", "y").replace("lon", "x"), LINE))
        .isInstanceOf(CatalogRefusedException.class)
        .hasMessageContaining("line 2 is neither a row")
        .hasMessageEndingWith("it lacks lon, lat");
  }

  @Test
  void aLineOfTextAmongTheRowsIsOneBadRowAndRefusesNoFile() throws Exception {
    List<String> lines = new ArrayList<>(Collections.nCopies(20, LINE));
    lines.add(0, HEADER);
    lines.add(7, "not,a,row,at,all,but,some,text");

    assertThat(read(lines.toArray(String[]::new))).isEqualTo(summary(20, 1));
  }

  @Test
  void aByteOrderMarkBeforeARowOfAJoinedFileIsTolerated() throws Exception {
    assertThat(read(LINE, "\uFEFF" + LINE, "\uFEFF " + LINE)).isEqualTo(summary(3, 0));
    assertThat(rows).containsExactly(ROW, ROW, ROW);
  }

  /** As pandas writes a table with a missing value, with its index as a column without a name. */
  @Test
  void wholeNumbersMayHaveAFractionOfZeros() throws Exception {
    read(
        "," + HEADER,
        "0,LTE,311.0,480.0,9728.0,9903886.00,,-122.393744,37.788097,1000.0,21.0,1.0,1458613761.0,1491242559.0,0.0",
        "1,LTE,311.0,480.0,9728.0,9903886.0,,-122.393744,37.788097,1000.0,21.0,1.0,,1491242559.0,0.0");
    assertThat(rows).containsExactly(ROW, ROW);
  }

  @ParameterizedTest
  @ValueSource(strings = {"9.90E+06", "9903886.5", ".0", "0x971f8e", "9 903 886"})
  void aRoundedOrOtherwiseWrittenCellIsNotGuessed(String cell) {
    String file = HEADER + "\n" + LINE.replace("9903886", cell);
    assertThatThrownBy(() -> read(0.1, file.getBytes(UTF_8)))
        .isInstanceOf(CatalogRefusedException.class)
        .hasMessageEndingWith("The first: line 2: cell: expected a whole number");
  }

  @Test
  void aRowAtZeroZeroIsSkippedAndCountedApartFromBadRows() throws Exception {
    String atZero = LINE.replace("-122.393744", "0").replace("37.788097", "-0.0");
    String onTheEquator = LINE.replace("311", "1").replace("37.788097", "0");
    byte[] file = String.join("\n", atZero, atZero, onTheEquator).getBytes(UTF_8);

    assertThat(read(0, file)).isEqualTo(new OpenCellIdReader.Summary(1, 0, 2, null));
    assertThat(rows)
        .extracting(CatalogRow::position)
        .containsExactly(new Position(ROW.position().lon(), 0));
    assertThatThrownBy(() -> read(atZero, atZero))
        .isInstanceOf(CatalogRefusedException.class)
        .hasMessage("towers.csv: refused: all of its 2 rows are at (0, 0), which is no position");
  }

  @Test
  void aWarningNamesAFileWhoseRowsLieForTheMostPartElsewhereThanTheirMcc() throws Exception {
    String inGermany = "GSM,262,1,7,8,0,8.5,49.5,1000,1,1,1,1491242559,0";
    String exchanged = "GSM,262,1,7,8,0,49.5,8.5,1000,1,1,1,1491242559,0";
    String test = exchanged.replace("262", "1");

    assertThat(read(inGermany, exchanged, test, test).warning()).isNull();
    assertThat(read(test, exchanged, inGermany, exchanged))
        .isEqualTo(
            new OpenCellIdReader.Summary(
                4,
                0,
                0,
                "towers.csv: 2 of 3 rows lie outside of the country of their mcc (the first: line"
                    + " 2, mcc 262 at lon 49.5, lat 8.5). Check that lon and lat are not exchanged;"
                    + " rows of a corrected file replace these"));
    assertThat(read("radio,mcc,net,area,cell,lon,lat", "GSM,262,1,7,8,49.5,8.5").warning())
        .endsWith(
            "; rows of a corrected file do not replace these, which are of the time of this import"
                + " since the file states none");
  }

  @Test
  void aShareOutsideOfZeroToOneIsRefused() {
    assertThatThrownBy(() -> new OpenCellIdReader(1.5, READ_MILLIS))
        .hasMessage("maxBadShare: expected 0 to 1, found 1.5");
  }
}
