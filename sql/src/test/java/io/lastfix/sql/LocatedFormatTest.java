package io.lastfix.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.located.LocatedRecordCodec;
import java.util.Arrays;
import java.util.ServiceLoader;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.factories.Factory;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;

class LocatedFormatTest {
  private static final long TS = 1_767_225_600_123L;
  private static final CellId CELL = CellId.parse("311-480-9728-9903886");
  private static final Position TOWER = new Position(-122.5, 37.75);
  private static final Position OWN = new Position(-122.25, 37.5);

  @Test
  void flinkFindsTheFormatByItsName() {
    assertThat(ServiceLoader.load(Factory.class))
        .filteredOn(factory -> factory.factoryIdentifier().equals("lastfix-located"))
        .hasSize(1);
  }

  @Test
  void aRecordWithAnOwnPositionHasAllColumns() {
    LocatedRecord record =
        new LocatedRecord(
            "u",
            Place.of(CELL, null, new Fix(OWN, PositionSource.GNSS, 12.5, 30.0, null)),
            TS,
            TOWER,
            true);

    assertThat(read(record, LocatedColumn.values()))
        .isEqualTo(
            GenericRowData.of(
                TimestampData.fromEpochMillis(TS),
                StringData.fromString("311-480-9728-9903886"),
                StringData.fromString("311-480"),
                -122.25,
                37.5,
                StringData.fromString("gnss"),
                12.5,
                30.0,
                -122.5,
                37.75,
                true));
  }

  @Test
  void whatARecordLacksIsNullAndTheOrderOfColumnsIsTheTables() {
    LocatedRecord unknown = new LocatedRecord("u", CELL, TS, null);

    assertThat(
            read(
                unknown,
                LocatedColumn.FAR,
                LocatedColumn.LAT,
                LocatedColumn.SRC,
                LocatedColumn.ACC,
                LocatedColumn.TS))
        .isEqualTo(GenericRowData.of(false, null, null, null, TimestampData.fromEpochMillis(TS)));
  }

  @Test
  void whatIsNoRecordIsSkipped() {
    LocatedRowDeserializer deserializer = deserializer(LocatedColumn.TS);

    assertThat(deserializer.deserialize(null)).isNull();
    assertThat(deserializer.deserialize(new byte[0])).isNull();
    assertThat(deserializer.deserialize(new byte[] {2, 0})).isNull();
  }

  @Test
  void anUnknownColumnAndOneOfAnotherTypeAreRefused() {
    assertThatThrownBy(
            () ->
                LocatedFormatFactory.columns(
                    RowType.of(new LogicalType[] {new DoubleType()}, new String[] {"speed"})))
        .isInstanceOf(ValidationException.class)
        .hasMessageStartingWith("lastfix-located: expected columns of ts TIMESTAMP_LTZ(3), ")
        .hasMessageEndingWith(", found speed DOUBLE");
    assertThatThrownBy(
            () ->
                LocatedFormatFactory.columns(
                    RowType.of(
                        new LogicalType[] {new VarCharType(VarCharType.MAX_LENGTH)},
                        new String[] {"lon"})))
        .hasMessageEndingWith(", found lon STRING");
  }

  private static RowData read(LocatedRecord record, LocatedColumn... columns) {
    return deserializer(columns).deserialize(LocatedRecordCodec.write(record));
  }

  private static LocatedRowDeserializer deserializer(LocatedColumn... columns) {
    RowType row =
        RowType.of(
            Arrays.stream(columns).map(LocatedFormatTest::type).toArray(LogicalType[]::new),
            Arrays.stream(columns).map(LocatedColumn::text).toArray(String[]::new));
    return new LocatedRowDeserializer(
        LocatedFormatFactory.columns(row), TypeInformation.of(RowData.class));
  }

  private static LogicalType type(LocatedColumn column) {
    return switch (column.type()) {
      case "TIMESTAMP_LTZ(3)" -> new LocalZonedTimestampType(3);
      case "STRING" -> new VarCharType(VarCharType.MAX_LENGTH);
      case "DOUBLE" -> new DoubleType();
      default -> new BooleanType();
    };
  }
}
