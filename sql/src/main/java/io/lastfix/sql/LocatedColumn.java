package io.lastfix.sql;

import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.jspecify.annotations.Nullable;

/** The columns that a table of the format may have, in any order, each with the type it needs. */
enum LocatedColumn {
  TS("TIMESTAMP_LTZ(3)", LogicalTypeRoot.TIMESTAMP_WITH_LOCAL_TIME_ZONE),
  CELL("STRING", LogicalTypeRoot.VARCHAR),
  NETWORK("STRING", LogicalTypeRoot.VARCHAR),
  LON("DOUBLE", LogicalTypeRoot.DOUBLE),
  LAT("DOUBLE", LogicalTypeRoot.DOUBLE),
  SRC("STRING", LogicalTypeRoot.VARCHAR),
  ACC("DOUBLE", LogicalTypeRoot.DOUBLE),
  ALT("DOUBLE", LogicalTypeRoot.DOUBLE),
  CELL_LON("DOUBLE", LogicalTypeRoot.DOUBLE),
  CELL_LAT("DOUBLE", LogicalTypeRoot.DOUBLE),
  FAR("BOOLEAN", LogicalTypeRoot.BOOLEAN);

  private final String text = name().toLowerCase(Locale.ROOT);
  private final String type;
  private final LogicalTypeRoot root;

  LocatedColumn(String type, LogicalTypeRoot root) {
    this.type = type;
    this.root = root;
  }

  /** Returns the name in SQL. */
  String text() {
    return text;
  }

  /** Returns the type in SQL, for messages. */
  String type() {
    return type;
  }

  /** Returns whether a column of that type can hold the value. */
  boolean fits(LogicalTypeRoot other) {
    return root == other;
  }

  /** Returns the record's value in Flink's representation; null if the record lacks it. */
  @Nullable Object of(LocatedRecord record) {
    return switch (this) {
      case TS -> TimestampData.fromEpochMillis(record.timestampMillis());
      case CELL -> record.cell() == null ? null : StringData.fromString(record.cell().toString());
      case NETWORK -> network(record.cell());
      case LON -> lon(record.position());
      case LAT -> lat(record.position());
      case SRC -> source(record.source());
      case ACC -> record.fix() == null ? null : record.fix().accuracyMeters();
      case ALT -> record.fix() == null ? null : record.fix().altitudeMeters();
      case CELL_LON -> lon(record.cellPosition());
      case CELL_LAT -> lat(record.cellPosition());
      case FAR -> record.isFar();
    };
  }

  static Optional<LocatedColumn> named(String name) {
    return Arrays.stream(values()).filter(column -> column.text.equals(name)).findFirst();
  }

  /** Lists all columns, for messages. */
  static String list() {
    return Arrays.stream(values())
        .map(column -> column.text + " " + column.type)
        .collect(Collectors.joining(", "));
  }

  private static @Nullable Object network(@Nullable CellId cell) {
    return cell == null ? null : StringData.fromString(cell.mcc() + "-" + cell.mnc());
  }

  private static @Nullable Object source(@Nullable PositionSource source) {
    return source == null ? null : StringData.fromString(source.text());
  }

  private static @Nullable Object lon(@Nullable Position position) {
    return position == null ? null : position.lon();
  }

  private static @Nullable Object lat(@Nullable Position position) {
    return position == null ? null : position.lat();
  }
}
