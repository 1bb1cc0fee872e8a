package io.lastfix.catalogs;

import de.siegmar.fastcsv.reader.CsvRecord;
import io.lastfix.model.CellId;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The column order of an OpenCellID file; converts a CSV record to a row.
 *
 * <p>Every {@link IllegalArgumentException} of this class names the invalid column in its message.
 */
final class OpenCellIdColumns {
  /** The column order of a file without a header. */
  static final OpenCellIdColumns DEFAULT =
      new OpenCellIdColumns(
          List.of(
              "radio",
              "mcc",
              "net",
              "area",
              "cell",
              "unit",
              "lon",
              "lat",
              "range",
              "samples",
              "changeable",
              "created",
              "updated",
              "averageSignal"));

  private static final int ABSENT = -1;
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  /** The last second of the year 9999. A greater value is in milliseconds or invalid. */
  private static final long MAX_SECONDS = 253_402_300_799L;

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

  private OpenCellIdColumns(List<String> names) {
    radio = required(names, "radio");
    mcc = required(names, "mcc");
    net = required(names, "net");
    area = required(names, "area");
    cell = required(names, "cell");
    lon = required(names, "lon");
    lat = required(names, "lat");
    updated = required(names, "updated");
    range = names.indexOf("range");
    created = names.indexOf("created");
  }

  private static int required(List<String> names, String name) {
    int index = names.indexOf(name);
    if (index == ABSENT) {
      throw new IllegalArgumentException("header: expected a column " + name);
    }
    return index;
  }

  static boolean isHeader(CsvRecord first) {
    return names(first).contains("radio");
  }

  static OpenCellIdColumns ofHeader(CsvRecord header) {
    return new OpenCellIdColumns(names(header));
  }

  private static List<String> names(CsvRecord header) {
    return header.getFields().stream()
        .map(name -> withoutByteOrderMark(name).trim().toLowerCase(Locale.ROOT))
        .toList();
  }

  private static String withoutByteOrderMark(String field) {
    return field.isEmpty() || field.charAt(0) != BYTE_ORDER_MARK ? field : field.substring(1);
  }

  CatalogRow row(CsvRecord record) {
    CellId cellId =
        new CellId(
            code(record, mcc, "mcc"),
            code(record, net, "net"),
            area(record),
            number(record, cell, "cell"));
    Position position = new Position(degrees(record, lon, "lon"), degrees(record, lat, "lat"));
    return new CatalogRow(cellId, radio(record), position, range(record), updatedMillis(record));
  }

  private Radio radio(CsvRecord record) {
    // The first row of a file without a header may begin with a byte order mark.
    return Radio.parse(withoutByteOrderMark(field(record, radio, "radio")))
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
    String text = range == ABSENT ? null : fieldOrNull(record, range);
    if (text == null) {
      return 0;
    }
    try {
      return Math.max(0, Integer.parseInt(text));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private long updatedMillis(CsvRecord record) {
    long seconds = seconds(record, updated, "updated");
    if (seconds == 0 && created != ABSENT) {
      seconds = seconds(record, created, "created");
    }
    if (seconds == 0) {
      throw new IllegalArgumentException("updated: expected seconds since 1970, found nothing");
    }
    return seconds * 1000;
  }

  /** Returns 0 if the field is empty or 0. */
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
      return Long.parseLong(field(record, column, name));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + ": expected a whole number", e);
    }
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
    return column < record.getFieldCount() ? record.getField(column).trim() : null;
  }
}
