package io.lastfix.operate.job;

import io.lastfix.cluster.drain.Drain;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.topics.CatalogGroup;
import io.lastfix.kit.kafka.ConsumerLag;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;

/** The wait until a location job has stored what Kafka holds. */
public final class LocationDrain {
  private LocationDrain() {}

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

  /**
   * Checks that a running job commits its offsets under the configured group, whose lag a drain
   * awaits.
   *
   * @param parameters of the job in Flink
   * @param groupId the configured {@code kafka.group-id}
   * @throws IOException if it has another one
   */
  public static void requireGroup(Map<String, String> parameters, String groupId)
      throws IOException {
    String published = parameters.get(CatalogGroup.JOB_PARAMETER);
    if (published != null && !CatalogGroup.isOfJob(groupId, published)) {
      throw new IOException(
          "the job was submitted with another kafka.group-id than '%s', since it reads the catalogue as '%s': give the --config and --set of its submit"
              .formatted(groupId, published));
    }
  }
}
