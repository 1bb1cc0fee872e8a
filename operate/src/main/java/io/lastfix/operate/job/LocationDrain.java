package io.lastfix.operate.job;

import io.lastfix.cluster.drain.Drain;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.topics.CatalogGroup;
import io.lastfix.kit.kafka.ConsumerLag;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;

/** The wait until a location job has stored what Kafka holds. */
public final class LocationDrain {
  private LocationDrain() {}

  /** For a job of that configuration. */
  public static Drain of(FlinkRest flink, Admin admin, LocationJobConfig config) {
    return of(flink, admin, config, config.kafka().locationTopics(config.profileNames()));
  }

  /**
   * For a job that may read other topics than its configuration names now.
   *
   * @param locationTopics that it reads
   */
  public static Drain of(
      FlinkRest flink, Admin admin, LocationJobConfig config, List<String> locationTopics) {
    return new Drain(
        flink,
        new ConsumerLag(admin),
        new Drain.Input(
            config.kafka().groupId(),
            locationTopics,
            config.kafka().cellsTopic(),
            CatalogGroup.JOB_PARAMETER));
  }
}
