package io.lastfix.it.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lastfix.cluster.StackHome;
import io.lastfix.local.NotifyServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A receiver of webhooks that verifies signatures by a code of its own. */
public final class WebhookServer implements AutoCloseable {
  private static final String KEY = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  /** For the configuration. */
  public static final String SECRET = "whsec_" + KEY;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Received> received = new CopyOnWriteArrayList<>();
  private volatile int status = 204;
  private volatile boolean isHanging;

  /** An alert that it has taken. */
  public record Received(String id, String user, Instant at) {}

  /** Listens on a free port. */
  public WebhookServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::receive);
    server.start();
  }

  /** Where it takes alerts. */
  public String url() {
    return "http://127.0.0.1:%d/alerts".formatted(server.getAddress().getPort());
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      if (isHanging) {
        TimeUnit.MINUTES.sleep(1);
      }
      if (!isSigned(exchange, body)) {
        exchange.sendResponseHeaders(401, -1);
        return;
      }
      if (status < 300) {
        JsonNode json = new ObjectMapper().readTree(body);
        received.add(
            new Received(
                exchange.getRequestHeaders().getFirst("webhook-id"),
                json.at("/data/user").asText(),
                Instant.now()));
      }
      exchange.sendResponseHeaders(status, -1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean isSigned(HttpExchange exchange, byte[] body) {
    String seconds = exchange.getRequestHeaders().getFirst("webhook-timestamp");
    Duration age = Duration.between(Instant.ofEpochSecond(Long.parseLong(seconds)), Instant.now());
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(Base64.getDecoder().decode(KEY), "HmacSHA256"));
      String head = exchange.getRequestHeaders().getFirst("webhook-id") + "." + seconds + ".";
      mac.update(head.getBytes(UTF_8));
      String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
      return age.abs().toMinutes() < 5
          && List.of(exchange.getRequestHeaders().getFirst("webhook-signature").split(" ", -1))
              .contains(expected);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Answers with that status from now on. */
  public void answer(int next) {
    status = next;
  }

  /** Answers nothing from now on. */
  public void hang() {
    isHanging = true;
  }

  /** What it has taken, in order. */
  public List<Received> received() {
    return received;
  }

  /**
   * Makes it the webhooks of a local stack, from the next start of its notify on.
   *
   * @param names in rules
   */
  public void receiveFrom(StackHome home, String... names) throws IOException {
    StringBuilder settings = new StringBuilder();
    for (String name : names) {
      settings.append("webhooks.%s: {url: %s, secret: %s}%n".formatted(name, url(), SECRET));
    }
    Files.writeString(
        home.configDirectory(NotifyServer.NAME).resolve("notify.yaml"), settings.toString());
  }

  @Override
  public void close() {
    threads.shutdownNow();
    server.stop(0);
  }
}
