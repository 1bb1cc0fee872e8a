package io.lastfix.testcontainers;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;

/**
 * Waits until every task of Flink's job runs. It ends at once if the container ends, as for a wrong
 * setting; the strategies of Testcontainers would wait for the whole limit.
 */
final class JobWaitStrategy extends AbstractWaitStrategy {
  private static final Duration REQUEST_LIMIT = Duration.ofSeconds(5);
  private static final Pattern RUNNING = Pattern.compile("\"running\":(\\d+)");
  private static final Pattern TOTAL = Pattern.compile("\"total\":(\\d+)");

  private final HttpClient client = HttpClient.newHttpClient();
  private final int port;

  /**
   * @param port of Flink's REST interface in the container
   */
  JobWaitStrategy(int port) {
    this.port = port;
  }

  @Override
  protected void waitUntilReady() {
    URI overview =
        URI.create(
            "http://%s:%d/jobs/overview"
                .formatted(waitStrategyTarget.getHost(), waitStrategyTarget.getMappedPort(port)));
    Waiting.until(
        startupTimeout,
        () -> {
          if (!waitStrategyTarget.isRunning()) {
            throw new ContainerLaunchException(
                "The location job has ended: the reason is in its log");
          }
          return runsAJob(get(overview));
        },
        () ->
            new ContainerLaunchException(
                "The location job does not run after %d s".formatted(startupTimeout.toSeconds())));
  }

  /** The answer; nothing while Flink does not answer. */
  private String get(URI uri) {
    try {
      return client
          .send(HttpRequest.newBuilder(uri).timeout(REQUEST_LIMIT).build(), BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  /** Returns whether every task of a job runs, by Flink's answer to {@code /jobs/overview}. */
  static boolean runsAJob(String overview) {
    Matcher running = RUNNING.matcher(overview);
    Matcher total = TOTAL.matcher(overview);
    return running.find()
        && total.find()
        && !total.group(1).equals("0")
        && running.group(1).equals(total.group(1));
  }
}
