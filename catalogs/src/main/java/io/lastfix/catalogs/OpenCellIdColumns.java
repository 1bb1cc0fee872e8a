package io.lastfix.catalogs;

import de.siegmar.fastcsv.reader.CsvRecord;
import io.lastfix.model.CellId;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The column order of a catalogue file; converts a CSV record to a row.
 *
 * <p>Every {@link IllegalArgumentException} of this class names the invalid column in its message.
 */
final class OpenCellIdColumns {
  private static final Pattern NOT_OF_A_NAME = Pattern.compile("[^a-z0-9]");

  /** The column order of a file without a header, as the file's header would be. */
  static final String DEFAULT_ORDER =
      "radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal";

  static final OpenCellIdColumns DEFAULT = new OpenCellIdColumns(names(DEFAULT_ORDER.split(",")));

  private static final int ABSENT = -1;
  private static final String BYTE_ORDER_MARK = "\ufeff";

  /** The last second of the year 9999. A greater value is in milliseconds or invalid. */
  private static final long MAX_SECONDS = 253_402_300_799L;

  private final List<String> missing = new ArrayList<>();
  private final int radio;
  private final int mcc;
  private final int net;
  private final int area;
  private final int cell;
  private final int lon;
  private final int lat;
  private final int range;
  private final int created;
  private final int updated;

  /** The names beside ours are those of OpenCellID's API and of tools around both databases. */
  private OpenCellIdColumns(List<String> names) {
    radio = required(names, "radio", "radiotype");
    mcc = required(names, "mcc");
    net = required(names, "net", "mnc");
    area = required(names, "area", "lac", "tac");
    // The API's cellid is the whole cell id. Its cid lacks the RNC, but is whole elsewhere.
    cell = required(names, "cell", "cellid", "cid");
    lon = required(names, "lon", "lng", "long", "longitude");
    lat = required(names, "lat", "latitude");
    range = index(names, "range");
    created = index(names, "created", "createdat");
    updated = index(names, "updated", "updatedat");
  }

  private int required(List<String> names, String name, String... others) {
    int index = index(names, name, others);
    if (index == ABSENT) {
      missing.add(name);
    }
    return index;
  }

  /** Returns the place of the first of the names that the header has. */
  private static int index(List<String> names, String name, String... others) {
    int index = names.indexOf(name);
    if (index != names.lastIndexOf(name)) {
      throw new IllegalArgumentException("it has the column " + name + " twice");
    }
    for (int i = 0; index == ABSENT && i < others.length; i++) {
      index = index(names, others[i]);
    }
    return index;
  }

  /**
   * Returns the columns that a header names, in any order.
   *
   * @throws IllegalArgumentException if some are missing; names all of them
   */
  static OpenCellIdColumns ofHeader(CsvRecord header) {
    OpenCellIdColumns columns =
        new OpenCellIdColumns(names(header.getFields().toArray(String[]::new)));
    if (!columns.missing.isEmpty()) {
      throw new IllegalArgumentException("it lacks " + String.join(", ", columns.missing));
    }
    return columns;
  }

  /** Files differ in case, in {@code cell_id} or {@code cellId}, and in marks before a name. */
  private static List<String> names(String... header) {
    return Arrays.stream(header)
        .map(name -> NOT_OF_A_NAME.matcher(name.toLowerCase(Locale.ROOT)).replaceAll(""))
        .toList();
  }

  /**
   * Returns whether a file's first record can be a row in these columns: with a number in each
   * column of numbers that a row needs, in or out of range, and a radio that is none. A header, in
   * whatever language, is no such record.
   */
  boolean mayBeRow(CsvRecord record) {
    return !isNumber(record, radio)
        && IntStream.of(mcc, net, area, cell, lon, lat)
            .allMatch(column -> isNumber(record, column));
  }

  /**
   * Returns whether a record that is no row is a header: it names the mcc. Other text is one bad
   * row, which must not refuse a whole file.
   */
  static boolean isFurtherHeader(CsvRecord record) {
    return names(record.getFields().toArray(String[]::new)).contains("mcc");
  }

  /** Returns whether rows state their time. */
  boolean haveTimes() {
    return updated != ABSENT || created != ABSENT;
  }

  private static boolean isNumber(CsvRecord record, int column) {
    try {
      double unused = Double.parseDouble(String.valueOf(fieldOrNull(record, column)));
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /**
   * Converts a record.
   *
   * @param readMillis time of a row in a file that has neither of the columns created and updated,
   *     in milliseconds since 1970
   */
  CatalogRow row(CsvRecord record, long readMillis) {
    CellId cellId =
        new CellId(
            code(record, mcc, "mcc"),
            code(record, net, "net"),
            area(record),
            number(record, cell, "cell"));
    Position position = new Position(degrees(record, lon, "lon"), degrees(record, lat, "lat"));
    return new CatalogRow(
        cellId, radio(record), position, range(record), updatedMillis(record, readMillis));
  }

  private Radio radio(CsvRecord record) {
    return Radio.parse(field(record, radio, "radio"))
        .orElseThrow(() -> new IllegalArgumentException("radio: expected one of a known kind"));
  }

  private int area(CsvRecord record) {
    int value = code(record, area, "area");
    if (value == CellId.NO_AREA) {
      throw new IllegalArgumentException("area: expected 0 or more");
    }
    return value;
  }

  /**
   * Returns 0, unknown, if the file has no such column or the field is no number of metres: a tower
   * with a position is worth more than its range.
   */
  private int range(CsvRecord record) {
    String text = fieldOrNull(record, range);
    if (text == null) {
      return 0;
    }
    try {
      return Math.max(0, Integer.parseInt(withoutZeroFraction(text)));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private long updatedMillis(CsvRecord record, long readMillis) {
    if (!haveTimes()) {
      return readMillis;
    }
    long seconds = seconds(record, updated, "updated");
    if (seconds == 0) {
      seconds = seconds(record, created, "created");
    }
    if (seconds == 0) {
      throw new IllegalArgumentException("updated: expected seconds since 1970, found nothing");
    }
    return seconds * 1000;
  }

  /** Returns 0 if the column is absent, or the field is empty or 0. */
  private static long seconds(CsvRecord record, int column, String name) {
    String text = fieldOrNull(record, column);
    if (text == null || text.isEmpty()) {
      return 0;
    }
    long seconds = number(record, column, name);
    if (seconds < 0 || seconds > MAX_SECONDS) {
      throw new IllegalArgumentException(name + ": expected seconds since 1970");
    }
    return seconds;
  }

  private static int code(CsvRecord record, int column, String name) {
    long value = number(record, column, name);
    if (value != (int) value) {
      throw new IllegalArgumentException(name + ": out of range");
    }
    return (int) value;
  }

  private static long number(CsvRecord record, int column, String name) {
    try {
      return Long.parseLong(withoutZeroFraction(field(record, column, name)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + ": expected a whole number", e);
    }
  }

  /** Programs that keep all numbers as floating-point ones, such as pandas, write 310 as 310.0. */
  private static String withoutZeroFraction(String text) {
    int end = text.length();
    while (end > 1 && text.charAt(end - 1) == '0') {
      end--;
    }
    return end > 1 && end < text.length() && text.charAt(end - 1) == '.'
        ? text.substring(0, end - 1)
        : text;
  }

  private static double degrees(CsvRecord record, int column, String name) {
    try {
      return Double.parseDouble(field(record, column, name));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + ": expected degrees", e);
    }
  }

  private static String field(CsvRecord record, int column, String name) {
    String text = fieldOrNull(record, column);
    if (text == null || text.isEmpty()) {
      throw new IllegalArgumentException(name + ": expected a value, found nothing");
    }
    return text;
  }

  private static @Nullable String fieldOrNull(CsvRecord record, int column) {
    if (column == ABSENT || column >= record.getFieldCount()) {
      return null;
    }
    String text = record.getField(column).trim();
    // Each of several files that were joined may begin with a mark.
    return column == 0 && text.startsWith(BYTE_ORDER_MARK) ? text.substring(1).trim() : text;
  }
}
