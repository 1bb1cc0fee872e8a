package io.lastfix.deploy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Programs that render and apply manifests, where they are installed. */
final class Helm {
  /** A version of Kubernetes for the chart; helm itself may be built for an older one. */
  private static final String KUBERNETES = "1.29.0";

  private static final long LIMIT_SECONDS = 60;

  private Helm() {}

  /**
   * What a program printed.
   *
   * @param code 0: well
   */
  record Result(int code, String text) {}

  static boolean isInstalled() {
    return find("helm").isPresent();
  }

  static boolean isKubectlInstalled() {
    return find("kubectl").isPresent();
  }

  /** Renders the chart. */
  static Result template(String... arguments) {
    return templateOf("lastfix", arguments);
  }

  /** Renders the chart for a release. */
  static Result templateOf(String release, String... arguments) {
    return helm(List.of("template", release), Manifests.CHART, arguments);
  }

  /** Renders a copy of the chart. */
  static Result templateOf(Path chart, String... arguments) {
    return helm(List.of("template", "lastfix"), chart, arguments);
  }

  static Result lint(String... arguments) {
    return helm(List.of("lint"), Manifests.CHART, arguments);
  }

  static Result kustomize(Path folder) {
    return run(List.of("kubectl", "kustomize", folder.toString()));
  }

  private static Result helm(List<String> verb, Path chart, String... arguments) {
    List<String> command = new ArrayList<>(List.of("helm"));
    command.addAll(verb);
    command.add(chart.toString());
    command.addAll(List.of("--namespace", "lastfix", "--kube-version", KUBERNETES));
    command.addAll(Arrays.asList(arguments));
    return run(command);
  }

  static Result run(List<String> command) {
    try {
      Path output = Files.createTempFile("lastfix", ".out");
      try {
        Process process =
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
          throw new AssertionError("%s took more than %d s".formatted(command, LIMIT_SECONDS));
        }
        return new Result(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
      } finally {
        Files.delete(output);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Optional<Path> find(String program) {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
