package io.lastfix.it.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** An installed Chromium, with one page. */
final class Chromium implements AutoCloseable {
  static final Duration LIMIT = Duration.ofSeconds(60);

  private final Process process;
  private final URI page;

  private Chromium(Path program, Path directory) throws Exception {
    process =
        new ProcessBuilder(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--no-first-run",
                "--disable-dev-shm-usage",
                "--use-angle=swiftshader",
                "--enable-unsafe-swiftshader",
                "--window-size=1100,800",
                "--remote-debugging-port=0",
                "--user-data-dir=" + directory,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("chromium.log").toFile())
            .start();
    HttpClient client = HttpClient.newHttpClient();
    Path portFile = directory.resolve("DevToolsActivePort");
    Awaitility.await("chromium listens")
        .atMost(LIMIT)
        .until(() -> Files.exists(portFile) && Files.readAllLines(portFile).size() > 1);
    URI pages =
        URI.create("http://127.0.0.1:%s/json/list".formatted(Files.readAllLines(portFile).get(0)));
    JsonNode found =
        new ObjectMapper()
            .readTree(
                client
                    .send(
                        HttpRequest.newBuilder(pages).build(), HttpResponse.BodyHandlers.ofString())
                    .body());
    page =
        URI.create(
            Stream.iterate(0, i -> i < found.size(), i -> i + 1)
                .map(found::get)
                .filter(it -> it.path("type").asText().equals("page"))
                .findFirst()
                .orElseThrow()
                .path("webSocketDebuggerUrl")
                .asText());
  }

  /** The installed program; empty if there is none. */
  static Optional<Path> find() {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .flatMap(folder -> Stream.of("chromium", "chromium-browser").map(Path.of(folder)::resolve))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Starts it.
   *
   * @param directory an empty one
   */
  static Chromium start(Path program, Path directory) throws Exception {
    return new Chromium(program, directory);
  }

  /** The page, as if it were a new one; one at a time. */
  ChromiumPage page() throws Exception {
    return new ChromiumPage(page);
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
