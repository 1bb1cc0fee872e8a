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
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        "Updated,lat,lon,cell,area,net,mcc,extra,radio",
        "1491242559,37.788097,-122.393744,9903886,9728,480,311,x,LTE");
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
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write((HEADER + "\n" + LINE).getBytes(UTF_8));
    }
    read(0, bytes.toByteArray());
    assertThat(rows).containsExactly(ROW);
  }

  @Test
  void anEmptyFileHasNoRows() throws Exception {
    assertThat(read("")).isEqualTo(new OpenCellIdReader.Summary(0, 0));
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

  @Test
  void aFileWithTooManyBadRowsIsRefusedWithTheFirstFiveReasons() {
    String file = HEADER + ("\n" + LINE).repeat(3) + "\nx".repeat(7);
    assertThatThrownBy(() -> read(0.1, file.getBytes(UTF_8)))
        .isInstanceOf(CatalogRefusedException.class)
        .hasMessage(
            "towers.csv: refused, 7 of 10 rows are bad and at most 0.1 of them may be. The first:"
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
