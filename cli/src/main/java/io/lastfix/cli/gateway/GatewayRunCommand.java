package io.lastfix.cli.gateway;

import io.lastfix.cli.common.ChildProcess;
import io.lastfix.cli.common.EndpointOptions;
import io.lastfix.cli.common.LastfixCommand;
import io.lastfix.kit.config.Settings;
import io.lastfix.local.GatewayServer;
import io.lastfix.local.JavaOptions;
import io.lastfix.operate.access.Servers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code lastfix gateway run}: runs a gateway as a process of its own, with its own class path, and
 * ends with it.
 */
@Command(
    name = "run",
    description = {
      "Runs a gateway until it is stopped (SIGTERM or Ctrl-C); open requests then get their answers,"
          + " and it exits with 0.",
      "Its Kafka is the one of kafka.bootstrap-servers, else of LASTFIX_KAFKA, else the local stack's. LASTFIX_GATEWAY_JAVA_OPTIONS"
          + " has further options of its Java, such as -Xmx2g; it gets 512 MB by default."
    },
    exitCodeList = {
      "0:stopped in order",
      "1:failed",
      "2:wrong usage, or a mistake in its configuration",
      "3:out of memory"
    },
    footer = "  lastfix gateway run --set http.port=8481")
public final class GatewayRunCommand extends LastfixCommand {
  private static final String KAFKA_KEY = "kafka.bootstrap-servers";
  private static final String OPTIONS_VARIABLE = "LASTFIX_GATEWAY_JAVA_OPTIONS";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The gateway's configuration (default: the defaults of config/gateway.yaml).")
  private @Nullable Path configFile;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Overrides a key of the file; may be given many times.")
  private List<String> overrides = new ArrayList<>();

  @Override
  public Integer call() throws Exception {
    List<String> command =
        new ArrayList<>(GatewayServer.arguments(JavaOptions.of(System.getenv(), OPTIONS_VARIABLE)));
    command.addAll(arguments(Servers.resolve(new EndpointOptions().named())));
    return ChildProcess.run(command, new byte[0]);
  }

  /** The arguments of the gateway's {@code main}. */
  List<String> arguments(Servers servers) {
    List<String> arguments = new ArrayList<>();
    if (configFile != null) {
      if (!Files.isReadable(configFile)) {
        throw usageError("--config: expected a file that can be read, found " + configFile);
      }
      arguments.addAll(List.of("--config", configFile.toAbsolutePath().toString()));
    }
    boolean namesKafka = Settings.load(configFile, overrides, name -> null).has(KAFKA_KEY);
    if (!namesKafka) {
      servers.requireOwn(Servers.Kind.KAFKA);
      servers
          .find(Servers.Kind.KAFKA)
          .ifPresent(address -> arguments.addAll(List.of("--set", KAFKA_KEY + "=" + address)));
    }
    overrides.forEach(setting -> arguments.addAll(List.of("--set", setting)));
    return arguments;
  }
}
