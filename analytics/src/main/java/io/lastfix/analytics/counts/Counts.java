package io.lastfix.analytics.counts;

import io.lastfix.model.LocatedRecord;
import io.lastfix.store.counts.WindowCount;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/** The two operators that count, connected: the same for a stream and for History. */
public final class Counts {
  private Counts() {}

  /**
   * Counts records.
   *
   * @param records each once, with its timestamp
   */
  public static SingleOutputStreamOperator<WindowCount> of(
      DataStream<LocatedRecord> records, Grouping grouping, CountFunction function) {
    return records
        .transform("combine", Types.POJO(PartialCount.class), new CombineOperator(grouping))
        .uid("combine")
        .keyBy(PartialCount::key, Types.STRING)
        .process(function, Types.POJO(WindowCount.class))
        .uid("count")
        .name("count");
  }
}
