package io.lastfix.cli.rules;

import io.lastfix.cli.common.AccessOptions;
import io.lastfix.cli.common.JsonCommand;
import io.lastfix.cli.common.TimeOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.notify.undelivered.Redelivery;
import io.lastfix.operate.access.Servers;
import io.lastfix.rules.alert.AlertTopics;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lastfix alerts redeliver}: publishes alerts that notify gave up once more. */
@Command(
    name = "redeliver",
    description =
        "Publishes undelivered alerts once more, each with its id and only for the receiver that"
            + " did not get it. --from and --to are when notify gave them up. Each run publishes"
            + " all that it selects, even if an earlier run did.",
    exitCodeList = {"0:done", "1:failed", "2:wrong usage", "3:no such alerts"},
    footer = "  lastfix alerts redeliver --receiver webhook-dispatch --from -1d")
public final class AlertsRedeliverCommand extends JsonCommand {
  @Option(
      names = "--receiver",
      paramLabel = "RECEIVER",
      description = "Only those for this one: webhook-NAME, mqtt or alertmanager.")
  private @Nullable String receiver;

  @Mixin private final TimeOptions time = new TimeOptions();

  @Option(names = "--dry-run", description = "List them, publish nothing.")
  private boolean isDryRun;

  @Option(
      names = "--topic",
      paramLabel = "NAME",
      defaultValue = AlertTopics.UNDELIVERED,
      description = "Topic of undelivered alerts (default: ${DEFAULT-VALUE}).")
  private String topic = "";

  @Mixin private final AccessOptions options = new AccessOptions();

  @Override
  public Integer call() throws IOException {
    time.check();
    LocationJobConfig config = options.load(Servers.Kind.KAFKA);
    Redelivery.Result result =
        new Redelivery(config.kafka()::clientProperties, topic, config.rules().alertsTopic())
            .run(receiver, time.from(), time.to(), isDryRun, it -> say(it.line()));
    print(emptyObject().put("alerts", result.chosen()), result.text(isDryRun));
    return result.chosen() == 0 ? 3 : 0;
  }
}
