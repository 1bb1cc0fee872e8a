package io.lastfix.cli.job;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lastfix.cli.common.EndpointOptions;
import io.lastfix.cli.common.JobSettings;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.cli.common.SecondsConverter;
import io.lastfix.cli.common.Servers;
import io.lastfix.cli.common.StatusLine;
import io.lastfix.jobs.Jobs;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.CatalogGroup;
import io.lastfix.jobs.kafka.KafkaAdmin;
import io.lastfix.stack.drain.Drain;
import io.lastfix.stack.flink.FlinkRest;
import io.lastfix.stack.kafka.ConsumerLag;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import org.apache.kafka.clients.admin.Admin;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lastfix drain}: waits until all pushed records are stored. */
@Command(
    name = "drain",
    description = "Waits until all records that are in Kafka now are stored in MongoDB.")
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
    Duration took;
    try (Admin admin = KafkaAdmin.connect(config.kafka());
        StatusLine status = StatusLine.onStandardError()) {
      took = drain(new FlinkRest(servers.flink()), admin, config).await(id, timeout, status::show);
    }
    PrintWriter out = out();
    out.println(
        json
            ? JsonNodeFactory.instance
                .objectNode()
                .put("drained", true)
                .put("seconds", took.toMillis() / 1000.0)
                .toString()
            : String.format(
                Locale.ROOT,
                "All records are stored or rejected, after %.1f s",
                took.toMillis() / 1000.0));
    out.flush();
    return 0;
  }

  /** The wait until a location job of that configuration has stored what Kafka holds. */
  public static Drain drain(FlinkRest flink, Admin admin, LocationJobConfig config) {
    String groupId = config.kafka().groupId();
    return new Drain(
        flink,
        new ConsumerLag(admin),
        new Drain.Input(
            groupId,
            config.kafka().locationTopics(config.profileNames()),
            config.kafka().cellsTopic(),
            jobParameters -> CatalogGroup.of(jobParameters, groupId).id()));
  }
}
