package io.lastfix.it.notify;

import io.lastfix.cluster.Installation;
import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A process of {@code io.lastfix.notify.Main}, which a test can kill. */
final class NotifyProcess implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final List<String> command = new ArrayList<>();
  private final File log;
  private final int port;
  private final HttpClient client = HttpClient.newHttpClient();
  private Process process;

  /**
   * Starts it, and waits until it is ready.
   *
   * @param settings each {@code key=value}
   */
  NotifyProcess(Path directory, List<String> settings) throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    log = directory.resolve("notify.log").toFile();
    command.addAll(
        List.of(
            ProcessHandle.current().info().command().orElse("java"),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            Installation.classPath("notify"),
            "io.lastfix.notify.Main",
            "--set",
            "http.port=" + port));
    settings.forEach(setting -> command.addAll(List.of("--set", setting)));
    process = started();
  }

  private Process started() throws IOException {
    Process made =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
            .start();
    Awaitility.await("notify is ready; its log is " + log)
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(() -> get("/ready").statusCode() == 200);
    return made;
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path))).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** Kills it, and starts it again. */
  void killAndRestart() throws IOException, InterruptedException {
    process.destroyForcibly();
    process.waitFor();
    process = started();
  }

  /** Stops it in an orderly way, and returns its exit code. */
  int stop() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      throw new IllegalStateException("notify does not stop; its log is " + log);
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
