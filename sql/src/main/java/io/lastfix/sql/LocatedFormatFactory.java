package io.lastfix.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.format.DecodingFormat;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DeserializationFormatFactory;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * The format {@code lastfix-located} of Flink's SQL: the values of the topic of located records.
 * The user is the message's key:
 *
 * <pre>
 * CREATE TABLE located (user_id STRING, ts TIMESTAMP_LTZ(3), lon DOUBLE, lat DOUBLE) WITH (
 *   'connector' = 'kafka', 'topic' = 'lastfix.located', 'properties.bootstrap.servers' = '…',
 *   'key.format' = 'raw', 'key.fields' = 'user_id',
 *   'value.format' = 'lastfix-located', 'value.fields-include' = 'EXCEPT_KEY')
 * </pre>
 *
 * <p>It has no options, and writes nothing.
 */
public final class LocatedFormatFactory implements DeserializationFormatFactory {
  /** The format's name in SQL. */
  public static final String IDENTIFIER = "lastfix-located";

  @Override
  public String factoryIdentifier() {
    return IDENTIFIER;
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of();
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return Set.of();
  }

  @Override
  public DecodingFormat<DeserializationSchema<RowData>> createDecodingFormat(
      DynamicTableFactory.Context context, ReadableConfig options) {
    return new Format();
  }

  private static final class Format implements DecodingFormat<DeserializationSchema<RowData>> {
    @Override
    public DeserializationSchema<RowData> createRuntimeDecoder(
        DynamicTableSource.Context context, DataType produced) {
      return new LocatedRowDeserializer(
          columns(produced.getLogicalType()), context.createTypeInformation(produced));
    }

    @Override
    public ChangelogMode getChangelogMode() {
      return ChangelogMode.insertOnly();
    }
  }

  /**
   * Returns the columns of a table.
   *
   * @throws ValidationException if the format does not have one of them, or not in that type
   */
  static List<LocatedColumn> columns(LogicalType row) {
    List<LocatedColumn> columns = new ArrayList<>();
    for (RowType.RowField field : ((RowType) row).getFields()) {
      LocatedColumn column =
          LocatedColumn.named(field.getName())
              .filter(known -> known.fits(field.getType().getTypeRoot()))
              .orElseThrow(
                  () ->
                      new ValidationException(
                          "%s: expected columns of %s, found %s %s"
                              .formatted(
                                  IDENTIFIER,
                                  LocatedColumn.list(),
                                  field.getName(),
                                  field.getType().asSummaryString())));
      columns.add(column);
    }
    return columns;
  }
}
