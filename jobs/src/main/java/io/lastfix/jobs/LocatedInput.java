package io.lastfix.jobs;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.topics.JobParameters;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.metrics.JobMetrics;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** What each job that reads located records begins with. */
final class LocatedInput {
  private LocatedInput() {}

  /** Returns the environment of a job, which publishes the topic that it reads. */
  static StreamExecutionEnvironment environment(LocationJobConfig config, String topic) {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(LocationJob.flinkConfiguration(config));
    JobParameters.publishLocatedTopic(environment.getConfig(), topic);
    return environment;
  }

  /**
   * Reads the records.
   *
   * @param environment receives the source
   * @param located it emits the records' watermarks
   */
  static SingleOutputStreamOperator<LocatedRecord> read(
      StreamExecutionEnvironment environment, Source<LocatedRecord, ?, ?> located) {
    return environment
        .fromSource(
            located,
            WatermarkStrategy.<LocatedRecord>noWatermarks()
                .withTimestampAssigner((record, millis) -> record.timestampMillis()),
            JobMetrics.READ_LOCATED)
        .uid("read-located");
  }
}
