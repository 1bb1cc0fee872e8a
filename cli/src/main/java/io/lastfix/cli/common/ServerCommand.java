package io.lastfix.cli.common;

import io.lastfix.kit.config.Settings;
import io.lastfix.local.JavaOptions;
import io.lastfix.operate.access.Servers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs a server of Kafka as a process with its own class path, and ends with it. */
@Command(
    exitCodeList = {
      "0:stopped in order",
      "1:failed",
      "2:wrong usage, or a mistake in its configuration",
      "3:out of memory"
    })
public abstract class ServerCommand extends LastfixCommand {
  private static final String KAFKA_KEY = "kafka.bootstrap-servers";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The server's configuration (default: the defaults of its file in config/).")
  private @Nullable Path configFile;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Overrides a key of the file; may be given many times.")
  private List<String> overrides = new ArrayList<>();

  private final UnaryOperator<List<String>> java;
  private final String optionsVariable;

  /**
   * @param java returns the arguments of java, with further options of the JVM
   * @param optionsVariable the environment variable that has those options
   */
  protected ServerCommand(UnaryOperator<List<String>> java, String optionsVariable) {
    this.java = java;
    this.optionsVariable = optionsVariable;
  }

  @Override
  public final Integer call() throws Exception {
    List<String> command =
        new ArrayList<>(java.apply(JavaOptions.of(System.getenv(), optionsVariable)));
    command.addAll(arguments(Servers.resolve(new EndpointOptions().named())));
    return ChildProcess.run(command, new byte[0]);
  }

  /** The arguments of the server's {@code main}. */
  final List<String> arguments(Servers servers) {
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
