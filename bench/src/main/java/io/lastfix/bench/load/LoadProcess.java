package io.lastfix.bench.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.cluster.Installation;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A load generator in a process of its own. */
public final class LoadProcess implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long END_SECONDS = 10;

  private final Process process;
  private final BufferedReader out;
  private final Path log;

  private LoadProcess(Process process, Path log) {
    this.process = process;
    this.out = process.inputReader(UTF_8);
    this.log = log;
  }

  /**
   * Starts it; it runs with the class path of this process.
   *
   * @param directory for the plan and the log
   */
  public static LoadProcess start(LoadPlan plan, Path directory) throws IOException {
    Files.createDirectories(directory);
    Path file = Files.createTempFile(directory, "load-", ".json");
    // The plan has the group's token.
    file.toFile().deleteOnExit();
    JSON.writeValue(file.toFile(), plan);
    Path log = directory.resolve("load.log");
    Process process =
        new ProcessBuilder(
                List.of(
                    Installation.java(),
                    "-XX:+UseParallelGC",
                    "-Xmx1g",
                    "-cp",
                    System.getProperty("java.class.path"),
                    LoadClient.class.getName(),
                    file.toString()))
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    return new LoadProcess(process, log);
  }

  /** Waits until the measured time begins. */
  public void awaitBegin() throws IOException {
    expect(LoadClient.BEGINS);
  }

  /** Waits until the measured time ends. */
  public void awaitEnd() throws IOException {
    expect(LoadClient.ENDS);
  }

  /** Waits for the result, after the end of the measured time. */
  public LoadResult result() throws IOException {
    return JSON.readValue(line(), LoadResult.class);
  }

  private void expect(String expected) throws IOException {
    String line = line();
    if (!line.equals(expected)) {
      throw new IOException(
          "the load generator printed '%s' instead of '%s': see %s".formatted(line, expected, log));
    }
  }

  private String line() throws IOException {
    @Nullable String line = out.readLine();
    if (line == null) {
      throw new IOException("the load generator has ended: see " + log);
    }
    return line;
  }

  /** Ends the process if it still runs. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }
}
