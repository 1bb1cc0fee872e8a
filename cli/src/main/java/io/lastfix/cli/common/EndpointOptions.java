package io.lastfix.cli.common;

import io.lastfix.local.EndpointOverrides;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The options that name the user's own servers; a mixin for every command that needs one. */
public final class EndpointOptions {
  @Option(
      names = "--mongo-uri",
      paramLabel = "URI",
      description = "A MongoDB of your own (or LASTFIX_MONGO_URI).")
  private Optional<String> mongoUri = Optional.empty();

  @Option(
      names = "--kafka",
      paramLabel = "HOST:PORT,...",
      description = "A Kafka cluster of your own (or LASTFIX_KAFKA).")
  private Optional<String> kafka = Optional.empty();

  @Option(
      names = "--flink",
      paramLabel = "URL",
      description = "REST address of a Flink cluster of your own (or LASTFIX_FLINK).")
  private Optional<String> flink = Optional.empty();

  /** The servers that the command line names, else the environment. */
  public EndpointOverrides named() {
    return new EndpointOverrides(mongoUri, kafka, flink).orFrom(System.getenv());
  }
}
