package io.lastfix.sql;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.located.LocatedRecordCodec;
import io.lastfix.model.located.LocatedRecordFormatException;
import java.util.List;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a value of the topic of located records. It skips what is no such value, as the analytics
 * job does: one message must not stop a query. The first skipped one of each task is logged.
 *
 * <p>Metric: {@code locatedUnreadable}, messages that were skipped.
 */
final class LocatedRowDeserializer implements DeserializationSchema<RowData> {
  private static final Logger LOG = LoggerFactory.getLogger(LocatedRowDeserializer.class);

  /** The user is the message's key, which Kafka's connector reads by another format. */
  private static final String ANY_USER = "-";

  private final List<LocatedColumn> columns;
  private final TypeInformation<RowData> type;

  private transient @Nullable Counter unreadable;

  LocatedRowDeserializer(List<LocatedColumn> columns, TypeInformation<RowData> type) {
    this.columns = List.copyOf(columns);
    this.type = type;
  }

  @Override
  public void open(InitializationContext context) {
    unreadable = context.getMetricGroup().counter("locatedUnreadable");
  }

  @Override
  public @Nullable RowData deserialize(byte @Nullable [] message) {
    if (message == null) {
      return skip("expected bytes, found nothing");
    }
    LocatedRecord record;
    try {
      record = LocatedRecordCodec.readValue(ANY_USER, message);
    } catch (LocatedRecordFormatException e) {
      return skip(String.valueOf(e.getMessage()));
    }
    GenericRowData row = new GenericRowData(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      row.setField(i, columns.get(i).of(record));
    }
    return row;
  }

  private @Nullable RowData skip(String reason) {
    if (unreadable != null) {
      if (unreadable.getCount() == 0) {
        LOG.warn("Skipped a message that is no located record: {}", reason);
      }
      unreadable.inc();
    }
    return null;
  }

  @Override
  public boolean isEndOfStream(RowData next) {
    return false;
  }

  @Override
  public TypeInformation<RowData> getProducedType() {
    return type;
  }
}
