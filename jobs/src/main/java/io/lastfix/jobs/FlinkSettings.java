package io.lastfix.jobs;

import io.lastfix.jobs.config.LocationJobConfig;
import java.time.Duration;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.PipelineOptions;

/** What every job tells Flink. */
final class FlinkSettings {
  /** See RATIONALE.md. */
  private static final Duration BUFFER_TIMEOUT = Duration.ofMillis(10);

  private FlinkSettings() {}

  /** Parallelism, and the rules for graphs: no Kryo, a uid everywhere, no copies. */
  static Configuration ofEveryJob(LocationJobConfig config) {
    Configuration flink = new Configuration();
    if (config.parallelism() != null) {
      flink.set(CoreOptions.DEFAULT_PARALLELISM, config.parallelism());
    }
    flink.set(PipelineOptions.MAX_PARALLELISM, config.maxParallelism());
    flink.set(PipelineOptions.GENERIC_TYPES, false);
    // An operator without a uid could not be restored after an upgrade: refuse to build such a
    // graph.
    flink.set(PipelineOptions.AUTO_GENERATE_UIDS, false);
    // All our types are immutable, so what one operator hands to the next in its chain need not be
    // copied.
    flink.set(PipelineOptions.OBJECT_REUSE, true);
    // A record crosses two shuffles, and waits at each for a buffer to fill or for this.
    flink.set(ExecutionOptions.BUFFER_TIMEOUT, BUFFER_TIMEOUT);
    return flink;
  }
}
