package io.lastfix.catalogs;

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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.ZipException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the CSV files of OpenCellID and the Mozilla Location Service, plain or gzip, row by row.
 *
 * <p>If the first line names a column {@code radio}, it is a header and gives the column order.
 * Without a header the columns are {@code
 * radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal}
 * (OpenCellID wiki, "Database format"). Times are seconds since 1970-01-01T00:00:00Z. If a row has
 * no {@code updated}, {@code created} takes its place.
 *
 * <p>The reader skips a bad row, counts it and logs its line number. A row of several lines is bad
 * too: no column contains a line break, so a stray quote has swallowed the lines. If too many rows
 * are bad, the reader rejects the file: it is probably of another kind.
 */
public final class OpenCellIdReader {
  private static final int GZIP_BUFFER_BYTES = 64 * 1024;

  /** Default of the greatest share of bad rows: one in ten. */
  public static final double DEFAULT_MAX_BAD_SHARE = 0.1;

  private static final Logger LOG = LoggerFactory.getLogger(OpenCellIdReader.class);

  private static final int REASONS_NAMED = 5;
  private static final int ROWS_LOGGED_AS_WARNINGS = 100;
  private static final int GZIP_MAGIC = 0x1f8b;

  private final double maxBadShare;

  /**
   * @param maxBadShare the greatest share of bad rows, 0 to 1; the reader rejects a file with more
   */
  public OpenCellIdReader(double maxBadShare) {
    if (!(maxBadShare >= 0 && maxBadShare <= 1)) {
      throw new IllegalArgumentException("maxBadShare: expected 0 to 1, found " + maxBadShare);
    }
    this.maxBadShare = maxBadShare;
  }

  /**
   * The number of rows of a file.
   *
   * @param goodRows rows passed to the consumer
   * @param badRows rows skipped
   */
  public record Summary(long goodRows, long badRows) {}

  /**
   * Reads a whole file.
   *
   * @param rows receives each good row, in the file's order, before the reader can decide whether
   *     to reject the file; it must not act on the rows until this method has returned
   * @throws CatalogRefusedException if too many rows are bad, the file has no row, the header lacks
   *     a column, or a gzip file is damaged
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
      return readPlain(decompressed, name, rows);
    }
  }

  private Summary readPlain(InputStream in, String name, Consumer<CatalogRow> rows)
      throws IOException, CatalogRefusedException {
    // The reader stays open: closing it would close the caller's stream.
    CsvReader<CsvRecord> csv =
        CsvReader.builder().skipEmptyLines(true).ofCsvRecord(new InputStreamReader(in, UTF_8));
    Reading reading = new Reading(name, rows);
    try {
      Iterator<CsvRecord> records = csv.iterator();
      if (records.hasNext()) {
        reading.first(records.next());
      }
      while (records.hasNext()) {
        reading.row(records.next());
      }
    } catch (UncheckedIOException e) {
      // The iterator wraps IOExceptions.
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

  /** The state of reading one file. */
  private final class Reading {
    private final String name;
    private final Consumer<CatalogRow> rows;
    private final List<String> firstReasons = new ArrayList<>();
    private OpenCellIdColumns columns = OpenCellIdColumns.DEFAULT;
    private long goodRows;
    private long badRows;

    Reading(String name, Consumer<CatalogRow> rows) {
      this.name = name;
      this.rows = rows;
    }

    void first(CsvRecord record) throws CatalogRefusedException {
      if (!OpenCellIdColumns.isHeader(record)) {
        row(record);
        return;
      }
      if (linesIn(record) > 1) {
        throw new CatalogRefusedException(
            name + ": header: a quote is not closed, or holds a line break");
      }
      try {
        columns = OpenCellIdColumns.ofHeader(record);
      } catch (IllegalArgumentException e) {
        throw new CatalogRefusedException(name + ": " + e.getMessage());
      }
    }

    void row(CsvRecord record) {
      if (linesIn(record) > 1) {
        bad(record, "a quote is not closed, or holds a line break");
        return;
      }
      CatalogRow row;
      try {
        row = columns.row(record);
      } catch (IllegalArgumentException e) {
        bad(record, String.valueOf(e.getMessage()));
        return;
      }
      goodRows++;
      rows.accept(row);
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
      long lines = 1;
      for (int i = 0; i < record.getFieldCount(); i++) {
        String field = record.getField(i);
        boolean isLast = i == record.getFieldCount() - 1;
        lines += lineBreaksIn(field, isLast ? lengthWithoutLineBreaks(field) : field.length());
      }
      return lines;
    }

    /** An unclosed quote in the last line swallows only the file's last line break. */
    private static int lengthWithoutLineBreaks(String field) {
      int length = field.length();
      while (length > 0 && (field.charAt(length - 1) == '\n' || field.charAt(length - 1) == '\r')) {
        length--;
      }
      return length;
    }

    private static long lineBreaksIn(String field, int length) {
      long lineBreaks = 0;
      for (int i = 0; i < length; i++) {
        char character = field.charAt(i);
        if (character == '\n'
            || (character == '\r' && (i + 1 == length || field.charAt(i + 1) != '\n'))) {
          lineBreaks++;
        }
      }
      return lineBreaks;
    }

    Summary finish() throws CatalogRefusedException {
      long all = goodRows + badRows;
      if (all == 0) {
        throw new CatalogRefusedException(
            name + ": refused: it has no rows; check that the download is complete");
      }
      if (badRows > maxBadShare * all) {
        throw new CatalogRefusedException(
            "%s: refused: %d of %d rows are bad, and at most %s of them may be. The first: %s"
                .formatted(name, badRows, all, maxBadShare, String.join("; ", firstReasons)));
      }
      if (badRows > 0) {
        LOG.warn("{}: {} of {} rows skipped", name, badRows, all);
      }
      return new Summary(goodRows, badRows);
    }
  }
}
