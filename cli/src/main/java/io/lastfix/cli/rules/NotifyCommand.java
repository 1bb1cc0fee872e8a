package io.lastfix.cli.rules;

import io.lastfix.cli.common.ServerCommand;
import io.lastfix.local.NotifyServer;
import picocli.CommandLine.Command;

/** {@code lastfix notify}: runs the server that delivers alerts. */
@Command(
    name = "notify",
    description = {
      "Delivers alerts by webhook, MQTT and Alertmanager until it is stopped (SIGTERM or Ctrl-C);"
          + " attempts in flight then end, and it exits with 0.",
      "Its Kafka is the one of kafka.bootstrap-servers, else of LASTFIX_KAFKA, else the local stack's. LASTFIX_NOTIFY_JAVA_OPTIONS"
          + " has further options of its Java, such as -Xmx256m; it gets 128 MB by default."
    },
    footer = "  lastfix notify --config notify.yaml")
public final class NotifyCommand extends ServerCommand {
  /** Called by picocli. */
  public NotifyCommand() {
    super(NotifyServer::arguments, "LASTFIX_NOTIFY_JAVA_OPTIONS");
  }
}
