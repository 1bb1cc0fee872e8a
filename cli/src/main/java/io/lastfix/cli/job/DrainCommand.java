package io.lastfix.cli.job;

import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.cli.common.StatusLine;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.topics.JobParameters;
import io.lastfix.jobs.kafka.topics.KafkaAdmin;
import io.lastfix.kit.kafka.KafkaFailure;
import io.lastfix.operate.access.Servers;
import io.lastfix.operate.job.LocationDrain;
import io.lastfix.operate.job.StreamJobSettings;
import io.lastfix.operate.status.LocationReading;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lastfix drain}: waits until all pushed records are stored. */
@Command(
    name = "drain",
    description = "Waits until all records that are in Kafka now are stored in MongoDB.",
    exitCodeList = {
      "0:all records are stored or rejected",
      "1:a location topic has records that no running job reads, or the command failed",
      "2:wrong usage"
    },
    footer = "  lastfix drain --config config/demo.yaml")
public final class DrainCommand extends JsonCommand {
  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "300",
      description = "Fail after this time (default: ${DEFAULT-VALUE}).")
  private Duration timeout = Duration.ZERO;

  @Mixin private final AccessOptions options = new AccessOptions();

  @Override
  public Integer call() throws Exception {
    StreamJobSettings given = options.given(Jobs.LOCATION, Servers.Kind.MONGO, Servers.Kind.KAFKA);
    LocationJobConfig config = given.config();
    String id = given.resumable().requireRunning().id();
    FlinkRest flink = new FlinkRest(given.servers().flink());
    Map<String, String> parameters = flink.jobParameters(id);
    LocationDrain.requireGroup(parameters, config.kafka().groupId());
    Duration took;
    SortedMap<String, Long> unread;
    try (Admin admin = KafkaAdmin.connect(config.kafka());
        StatusLine status = StatusLine.onStandardError()) {
      List<String> topics =
          JobParameters.locationTopics(parameters)
              .orElseGet(() -> config.kafka().locationTopics(config.profileNames()));
      took = LocationDrain.of(flink, admin, config, topics).await(id, timeout, status::show);
      unread =
          LocationReading.of(flink, flink.jobs())
              .unread(admin, config.kafka(), config.source().abandonedTopics());
    } catch (IOException e) {
      throw KafkaFailure.withAddresses(config.kafka().bootstrapServers(), e);
    }
    print(took, unread, config.kafka().locationTopicPrefix());
    return unread.isEmpty() ? 0 : 1;
  }

  private void print(Duration took, SortedMap<String, Long> unread, String locationTopicPrefix) {
    double seconds = took.toMillis() / 1000.0;
    print(
        emptyObject()
            .put("drained", unread.isEmpty())
            .put("seconds", seconds)
            .putPOJO("unread", unread),
        List.of(
            String.format(
                Locale.ROOT,
                unread.isEmpty()
                    ? "All records are stored or rejected, after %.1f s"
                    : "All records that the job reads are stored or rejected, after %.1f s",
                seconds)));
    LocationReading.remedies(unread, locationTopicPrefix).forEach(this::say);
  }
}
