package io.lastfix.cli.command;

import io.lastfix.cli.stack.EndpointOverrides;
import io.lastfix.cli.stack.LocalStack;
import io.lastfix.cli.stack.StackHome;
import io.lastfix.cli.stack.StackOptions;
import io.lastfix.cli.stack.StackState;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options by which a user names servers of their own. */
public final class ServerOptions {
  @Option(names = "--mongo-uri", paramLabel = "URI", description = "MongoDB (default: LASTFIX_MONGO_URI, else the local stack's).")
  private @Nullable String mongoUri;

  @Option(names = "--kafka", paramLabel = "HOST:PORT", description = "Kafka (default: LASTFIX_KAFKA, else the local stack's).")
  private @Nullable String kafka;

  @Option(names = "--flink", paramLabel = "URL", description = "Flink's web page (default: LASTFIX_FLINK, else the local stack's).")
  private @Nullable String flink;

  /** What the user named, and what runs here. */
  Servers resolve() {
    Map<String, String> environment = System.getenv();
    Map<String, String> local =
        StackState.read(StackHome.locate(environment)).map(StackState::endpoints).orElse(Map.of());
    return new Servers(named(environment), local);
  }

  /** Starts what of the local stack does not run yet. */
  Servers start(Consumer<String> progress) {
    StackHome home = StackHome.locate(System.getenv());
    StackOptions defaults = StackOptions.defaults(home);
    StackState state =
        new LocalStack(home, progress)
            .up(
                new StackOptions(
                    home,
                    named(System.getenv()),
                    defaults.mongoMembers(),
                    defaults.taskManagers(),
                    defaults.slots(),
                    Duration.ofMinutes(2)));
    return new Servers(named(System.getenv()), state.endpoints());
  }

  private EndpointOverrides named(Map<String, String> environment) {
    return new EndpointOverrides(Optional.ofNullable(mongoUri), Optional.ofNullable(kafka), Optional.ofNullable(flink))
        .orFrom(environment);
  }
}
