package io.lastfix.cli.job;

import io.lastfix.cli.common.EndpointOptions;
import io.lastfix.cli.common.JobSettings;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cli.common.LocationReading;
import io.lastfix.cli.common.SecondsConverter;
import io.lastfix.cli.common.Servers;
import io.lastfix.cli.common.StatusLine;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.CatalogGroup;
import io.lastfix.jobs.kafka.KafkaAdmin;
import io.lastfix.jobs.kafka.LocationTopics;
import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.stack.drain.Drain;
import io.lastfix.stack.flink.FlinkRest;
import java.time.Duration;
import java.util.LinkedHashMap;
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
    description = {
      "Waits until all records that are in Kafka now are stored in MongoDB.",
      "Exits with 1 if a location topic has records that no running job reads."
    })
public final class DrainCommand extends LastfixCommand {
  @Option(
      names = "--timeout",
      converter = SecondsConverter.class,
      paramLabel = "SECONDS",
      defaultValue = "300",
      description = "Fail after this time (default: ${DEFAULT-VALUE}).")
  private Duration timeout = Duration.ZERO;

  @Option(names = "--json", description = "Print JSON.")
  private boolean json;

  @Mixin private EndpointOptions endpoints = new EndpointOptions();
  @Mixin private final JobSettings settings = new JobSettings();

  @Override
  public Integer call() throws Exception {
    Servers servers = Servers.resolve(endpoints);
    LocationJobConfig config = settings.load(servers, Servers.Kind.MONGO, Servers.Kind.KAFKA);
    String id =
        new StreamJobSettings(Jobs.LOCATION, servers, settings, config)
            .resumable()
            .requireRunning()
            .id();
    FlinkRest flink = new FlinkRest(servers.flink());
    Duration took;
    SortedMap<String, Long> unread;
    try (Admin admin = KafkaAdmin.connect(config.kafka());
        StatusLine status = StatusLine.onStandardError()) {
      List<String> topics =
          LocationTopics.of(flink.jobParameters(id))
              .orElseGet(() -> config.kafka().locationTopics(config.profileNames()));
      took = drain(flink, admin, config, topics).await(id, timeout, status::show);
      unread =
          LocationReading.of(flink, flink.jobs())
              .unread(admin, config.kafka(), config.source().abandonedTopics());
    }
    print(took, unread, config.kafka().locationTopicPrefix());
    return unread.isEmpty() ? 0 : 1;
  }

  private void print(Duration took, SortedMap<String, Long> unread, String locationTopicPrefix) {
    double seconds = took.toMillis() / 1000.0;
    if (json) {
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("drained", unread.isEmpty());
      result.put("seconds", seconds);
      result.put("unread", unread);
      printJson(result);
    } else {
      out()
          .println(
              String.format(
                  Locale.ROOT,
                  unread.isEmpty()
                      ? "All records are stored or rejected, after %.1f s"
                      : "All records that the job reads are stored or rejected, after %.1f s",
                  seconds));
    }
    out().flush();
    unread.forEach(
        (topic, records) ->
            err().println(LocationReading.remedy(topic, records, locationTopicPrefix)));
  }

  /** The wait until a location job of that configuration has stored what Kafka holds. */
  public static Drain drain(FlinkRest flink, Admin admin, LocationJobConfig config) {
    return drain(flink, admin, config, config.kafka().locationTopics(config.profileNames()));
  }

  private static Drain drain(
      FlinkRest flink, Admin admin, LocationJobConfig config, List<String> locationTopics) {
    String groupId = config.kafka().groupId();
    return new Drain(
        flink,
        new ConsumerLag(admin),
        new Drain.Input(
            groupId,
            locationTopics,
            config.kafka().cellsTopic(),
            jobParameters -> CatalogGroup.of(jobParameters, groupId).id()));
  }
}
