package io.lastfix.cli.gateway;

import io.lastfix.cli.common.ServerCommand;
import io.lastfix.local.GatewayServer;
import picocli.CommandLine.Command;

/** {@code lastfix gateway run}: runs a gateway. */
@Command(
    name = "run",
    description = {
      "Runs a gateway until it is stopped (SIGTERM or Ctrl-C); open requests then get their answers,"
          + " and it exits with 0.",
      "Its Kafka is the one of kafka.bootstrap-servers, else of LASTFIX_KAFKA, else the local stack's. LASTFIX_GATEWAY_JAVA_OPTIONS"
          + " has further options of its Java, such as -Xmx2g; it gets 512 MB by default."
    },
    footer = "  lastfix gateway run --set http.port=8481")
public final class GatewayRunCommand extends ServerCommand {
  /** Called by picocli. */
  public GatewayRunCommand() {
    super(GatewayServer::arguments, "LASTFIX_GATEWAY_JAVA_OPTIONS");
  }
}
