package io.lastfix.jobs;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.KafkaConnectors;
import java.time.Duration;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.TaskManagerOptions;

/** Flink settings that all jobs share. */
final class FlinkSettings {
  /** See docs/decisions/jobs.md. */
  private static final Duration BUFFER_TIMEOUT = Duration.ofMillis(10);

  /** What a cancelled task needs beyond the delivery of a rejected message, amply. */
  private static final Duration CANCELLATION_RESERVE = Duration.ofMinutes(1);

  private FlinkSettings() {}

  /**
   * Parallelism, waits before restarts, and the rules for job graphs: no Kryo, a uid for each
   * operator, no copies.
   */
  static Configuration ofEveryJob(LocationJobConfig config) {
    Configuration flink = new Configuration();
    if (config.parallelism() != null) {
      flink.set(CoreOptions.DEFAULT_PARALLELISM, config.parallelism());
    }
    flink.set(PipelineOptions.MAX_PARALLELISM, config.maxParallelism());
    flink.set(PipelineOptions.GENERIC_TYPES, false);
    // An operator without a uid could not be restored after an upgrade, so Flink rejects such a
    // graph.
    flink.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
    // All our types are immutable, so chained operators need no copies of their records.
    flink.set(PipelineOptions.OBJECT_REUSE, true);
    // A record crosses two shuffles. At each, it waits until a buffer is full or this time has
    // passed.
    flink.set(ExecutionOptions.BUFFER_TIMEOUT, BUFFER_TIMEOUT);
    flink.set(RestartStrategyOptions.RESTART_STRATEGY, "exponential-delay");
    flink.set(
        RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_INITIAL_BACKOFF,
        config.recovery().restartInitialBackoff());
    flink.set(
        RestartStrategyOptions.RESTART_STRATEGY_EXPONENTIAL_DELAY_MAX_BACKOFF,
        config.recovery().restartMaxBackoff());
    return flink;
  }

  /**
   * After which time a task that does not end once it is cancelled ends its TaskManager: not before
   * a message to Kafka in flight is written or given up, and not before Flink's default. See
   * docs/decisions/jobs.md.
   */
  static Duration cancellationTimeout(LocationJobConfig config) {
    Duration least = TaskManagerOptions.TASK_CANCELLATION_TIMEOUT.defaultValue();
    Duration needed = KafkaConnectors.deliveryTimeout(config).plus(CANCELLATION_RESERVE);
    return needed.compareTo(least) > 0 ? needed : least;
  }
}
