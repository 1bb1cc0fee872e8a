package io.lastfix.catalogs;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import io.lastfix.model.gzip.StrictGzipInputStream;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the CSV files of OpenCellID and the Mozilla Location Service, plain or gzip, row by row.
 *
 * <p>A first row that cannot be a row of data is a header and gives the column order. A further
 * header, as in concatenated files, applies to the rows after it. The reader rejects the file if a
 * header lacks a column. Without a header the columns are {@code
 * radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal}
 * (OpenCellID wiki, "Database format"). Times are seconds since 1970-01-01T00:00:00Z. If a row has
 * no {@code updated}, {@code created} takes its place. If the header has neither, as in the answers
 * of OpenCellID's API, each row is of the time at which it is read.
 *
 * <p>The reader skips a bad row, counts it and logs its line number. A row of several lines is bad
 * too: no column contains a line break, so a stray quote has swallowed the lines. If too many rows
 * are bad, the reader rejects the file: it is probably of another kind. A row at exactly (0, 0) has
 * no position: the reader skips it and counts it apart.
 *
 * @param maxBadShare the greatest share of bad rows, 0 to 1; the reader rejects a file with more
 * @param readMillis time of the rows if the file states none, in milliseconds since 1970
 */
public record OpenCellIdReader(double maxBadShare, long readMillis) {
  private static final int GZIP_BUFFER_BYTES = 64 * 1024;

  /** Default of the greatest share of bad rows: one in ten. */
  public static final double DEFAULT_MAX_BAD_SHARE = 0.1;

  private static final Logger LOG = LoggerFactory.getLogger(OpenCellIdReader.class);

  private static final int REASONS_NAMED = 5;
  private static final int ROWS_LOGGED_AS_WARNINGS = 100;
  private static final int GZIP_MAGIC = 0x1f8b;
  private static final byte[] UTF_8_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

  public OpenCellIdReader {
    if (!(maxBadShare >= 0 && maxBadShare <= 1)) {
      throw new IllegalArgumentException("maxBadShare: expected 0 to 1, found " + maxBadShare);
    }
  }

  /**
   * The number of rows of a file.
   *
   * @param goodRows rows passed to the consumer
   * @param badRows rows skipped
   * @param rowsWithoutPosition rows at (0, 0), skipped too
   * @param warning what is suspicious about the rows as a whole; null if nothing is
   */
  public record Summary(
      long goodRows, long badRows, long rowsWithoutPosition, @Nullable String warning) {}

  /**
   * Reads a whole file.
   *
   * @param rows receives each good row, in the file's order, before the reader can decide whether
   *     to reject the file; it must not act on the rows until this method has returned
   * @throws CatalogRefusedException if too many rows are bad, the file has no row with a position,
   *     the header lacks a column, or a gzip file is damaged
   * @throws IOException if the file cannot be read
   */
  public Summary read(Path file, Consumer<CatalogRow> rows)
      throws IOException, CatalogRefusedException {
    try (InputStream in = Files.newInputStream(file)) {
      return read(in, file.toString(), rows);
    }
  }

  /**
   * Reads a whole stream and leaves it open.
   *
   * @param name the name of the stream in messages
   * @see #read(Path, Consumer)
   */
  public Summary read(InputStream in, String name, Consumer<CatalogRow> rows)
      throws IOException, CatalogRefusedException {
    InputStream buffered = new BufferedInputStream(in, 1 << 16);
    if (!isGzip(buffered)) {
      return readPlain(buffered, name, rows);
    }
    try (InputStream decompressed = new StrictGzipInputStream(buffered, GZIP_BUFFER_BYTES)) {
      return readPlain(new BufferedInputStream(decompressed), name, rows);
    }
  }

  private Summary readPlain(InputStream in, String name, Consumer<CatalogRow> rows)
      throws IOException, CatalogRefusedException {
    Reading reading = new Reading(name, rows);
    try {
      // The reader stays open: closing it would close the caller's stream.
      CsvReader<CsvRecord> csv =
          CsvReader.builder()
              .skipEmptyLines(true)
              .ofCsvRecord(new InputStreamReader(in, charset(in)));
      Iterator<CsvRecord> records = csv.iterator();
      if (records.hasNext()) {
        reading.first(records.next());
      }
      while (records.hasNext()) {
        reading.row(records.next());
      }
    } catch (UncheckedIOException e) {
      // The iterator and charset() wrap IOExceptions.
      if (e.getCause() instanceof ZipException || e.getCause() instanceof EOFException) {
        throw new CatalogRefusedException(
            "%s: refused: it is not a complete gzip file; download it again: %s"
                .formatted(name, e.getCause().getMessage()));
      }
      throw new IOException(name + ": " + e.getCause().getMessage(), e.getCause());
    } catch (CsvParseException e) {
      // The library throws this only for a field of more than 16 million characters; its message
      // has the line number.
      throw new CatalogRefusedException(name + ": not a CSV file: " + e.getMessage());
    }
    return reading.finish();
  }

  private static boolean isGzip(InputStream buffered) throws IOException {
    buffered.mark(2);
    int magic = buffered.read() << 8 | buffered.read();
    buffered.reset();
    return magic == GZIP_MAGIC;
  }

  /**
   * Returns the charset that a byte order mark names, UTF-8 without one. The decoder of UTF-16
   * skips the mark, that of UTF-8 does not. The CSV library's own detection corrupts files of less
   * than four bytes.
   */
  private static Charset charset(InputStream buffered) {
    try {
      buffered.mark(UTF_8_MARK.length);
      byte[] start = buffered.readNBytes(UTF_8_MARK.length);
      if (Arrays.equals(start, UTF_8_MARK)) {
        return UTF_8;
      }
      buffered.reset();
      int mark = start.length < 2 ? 0 : ((start[0] & 0xff) << 8) | (start[1] & 0xff);
      return mark == 0xfeff || mark == 0xfffe ? UTF_16 : UTF_8;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The state of reading one file. */
  private final class Reading {
    private final String name;
    private final Consumer<CatalogRow> rows;
    private final List<String> firstReasons = new ArrayList<>();
    private OpenCellIdColumns columns = OpenCellIdColumns.DEFAULT;
    private long goodRows;
    private long badRows;
    private long rowsWithoutPosition;
    private long rowsOfKnownMcc;
    private long rowsElsewhere;
    private @Nullable String firstElsewhere;

    Reading(String name, Consumer<CatalogRow> rows) {
      this.name = name;
      this.rows = rows;
    }

    void first(CsvRecord record) throws CatalogRefusedException {
      if (columns.mayBeRow(record)) {
        row(record);
      } else {
        header(record);
      }
    }

    private void header(CsvRecord record) throws CatalogRefusedException {
      String problem;
      if (linesIn(record) > 1) {
        problem = "a quote is not closed, or holds a line break";
      } else if (record.getFields().stream().anyMatch(field -> field.indexOf('\0') >= 0)) {
        problem =
            "it has NUL characters; save the file as UTF-8, or as UTF-16 with a byte order mark";
      } else {
        try {
          columns = OpenCellIdColumns.ofHeader(record);
          return;
        } catch (IllegalArgumentException e) {
          problem = e.getMessage() + separatorHint(record);
        }
      }
      throw new CatalogRefusedException(
          "%s: refused: line %d is neither a row of data in the columns %s nor a complete header: %s"
              .formatted(
                  name, record.getStartingLineNumber(), OpenCellIdColumns.DEFAULT_ORDER, problem));
    }

    private static String separatorHint(CsvRecord record) {
      String line = String.join(",", record.getFields());
      for (String separator : List.of(";", "\t", "|")) {
        if (line.contains(separator)) {
          return ". Save the file with commas between the columns, not '%s', and with points in the numbers"
              .formatted(separator.replace("\t", "tab"));
        }
      }
      return "";
    }

    void row(CsvRecord record) throws CatalogRefusedException {
      if (linesIn(record) > 1) {
        bad(record, "a quote is not closed, or holds a line break");
        return;
      }
      CatalogRow row;
      try {
        row = columns.row(record, readMillis);
      } catch (IllegalArgumentException e) {
        if (OpenCellIdColumns.isFurtherHeader(record)) {
          header(record);
        } else {
          bad(record, String.valueOf(e.getMessage()));
        }
        return;
      }
      if (row.position().marksUnknown()) {
        rowsWithoutPosition++;
        return;
      }
      goodRows++;
      compareWithCountry(record, row);
      rows.accept(row);
    }

    private void compareWithCountry(CsvRecord record, CatalogRow row) {
      int mcc = row.cell().mcc();
      if (!MccBoxes.areKnown(mcc)) {
        return;
      }
      rowsOfKnownMcc++;
      if (!MccBoxes.contain(mcc, row.position())) {
        rowsElsewhere++;
        if (firstElsewhere == null) {
          firstElsewhere =
              "line %d, mcc %d at lon %s, lat %s"
                  .formatted(
                      record.getStartingLineNumber(),
                      mcc,
                      row.position().lon(),
                      row.position().lat());
        }
      }
    }

    private @Nullable String warning() {
      return 2 * rowsElsewhere <= rowsOfKnownMcc
          ? null
          : "%s: %d of %d rows lie outside of the country of their mcc (the first: %s). Check that lon and lat are not exchanged; rows of a corrected file %s"
              .formatted(
                  name,
                  rowsElsewhere,
                  rowsOfKnownMcc,
                  firstElsewhere,
                  columns.haveTimes()
                      ? "replace these"
                      : "do not replace these, which are of the time of this import since the file"
                          + " states none");
    }

    private void bad(CsvRecord record, String reason) {
      long line = record.getStartingLineNumber();
      if (badRows < ROWS_LOGGED_AS_WARNINGS) {
        LOG.warn("{}: line {} skipped: {}", name, line, reason);
      } else {
        LOG.debug("{}: line {} skipped: {}", name, line, reason);
      }
      // A quote that is not closed swallows the following lines, so these rows are lost too.
      badRows += linesIn(record);
      if (firstReasons.size() < REASONS_NAMED) {
        firstReasons.add("line " + line + ": " + reason);
      }
    }

    /**
     * Counts the file's lines in the record's fields, without empty lines at the end of the record.
     */
    private static long linesIn(CsvRecord record) {
      String text = String.join(",", record.getFields());
      int end = text.length();
      // An unclosed quote in the last line swallows only the file's last line break.
      while (end > 0 && "\r\n".indexOf(text.charAt(end - 1)) >= 0) {
        end--;
      }
      return Math.max(1, text.substring(0, end).lines().count());
    }

    Summary finish() throws CatalogRefusedException {
      long all = goodRows + badRows + rowsWithoutPosition;
      if (all == 0) {
        throw new CatalogRefusedException(
            name + ": refused: it has no rows; check that the download is complete");
      }
      if (badRows > maxBadShare * all) {
        throw new CatalogRefusedException(
            "%s: refused: %d of %d rows are bad, and at most %s of them may be. The first: %s"
                .formatted(name, badRows, all, maxBadShare, String.join("; ", firstReasons)));
      }
      if (goodRows == 0 && badRows == 0) {
        throw new CatalogRefusedException(
            "%s: refused: all of its %d rows are at (0, 0), which is no position"
                .formatted(name, rowsWithoutPosition));
      }
      if (badRows > 0) {
        LOG.warn("{}: {} of {} rows skipped", name, badRows, all);
      }
      return new Summary(goodRows, badRows, rowsWithoutPosition, warning());
    }
  }
}
