package io.lastfix.it.console;

import static io.lastfix.it.console.Chromium.LIMIT;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.imageio.ImageIO;
import org.awaitility.Awaitility;

/** A page of a {@link Chromium}, spoken to over its DevTools protocol. */
final class ChromiumPage implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final WebSocket socket;
  private final AtomicInteger lastId = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> errors = new CopyOnWriteArrayList<>();

  /** The documents that have loaded. */
  private final Set<String> loaded = ConcurrentHashMap.newKeySet();

  /**
   * Begins to listen to it.
   *
   * @param address of its DevTools
   */
  ChromiumPage(URI address) throws Exception {
    socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(address, new Listener())
            .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    for (String domain : List.of("Page", "Network", "Runtime", "Log")) {
      send(domain + ".enable", Map.of());
    }
    send("Page.setLifecycleEventsEnabled", Map.of("enabled", true));
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        handle(text.toString());
        text.setLength(0);
      }
      return WebSocket.Listener.super.onText(webSocket, data, last);
    }
  }

  private void handle(String message) {
    JsonNode json;
    try {
      json = JSON.readTree(message);
    } catch (IOException e) {
      errors.add("not JSON: " + message);
      return;
    }
    if (json.has("id")) {
      CompletableFuture<JsonNode> answer = answers.remove(json.path("id").asInt());
      if (answer != null) {
        answer.complete(json);
      }
      return;
    }
    JsonNode parameters = json.path("params");
    switch (json.path("method").asText()) {
      case "Network.requestWillBeSent" ->
          requests.add(parameters.path("request").path("url").asText());
      case "Page.lifecycleEvent" -> {
        if (parameters.path("name").asText().equals("load")) {
          loaded.add(parameters.path("loaderId").asText());
        }
      }
      case "Runtime.exceptionThrown" -> errors.add(parameters.toString());
      case "Log.entryAdded" -> {
        if (parameters.path("entry").path("level").asText().equals("error")) {
          errors.add(parameters.path("entry").path("text").asText());
        }
      }
      default -> {}
    }
  }

  private JsonNode send(String method, Map<String, Object> parameters) {
    int id = lastId.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    answers.put(id, answer);
    ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
    message.set("params", JSON.valueToTree(parameters));
    socket.sendText(message.toString(), true).join();
    JsonNode json = answer.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
    if (json.has("error")) {
      throw new IllegalStateException(method + ": " + json.path("error"));
    }
    return json.path("result");
  }

  /**
   * Opens an address, and waits until its document has loaded: until then the page of another
   * origin may not have replaced the former one, and there is nothing to take a picture of.
   */
  void open(String address) {
    JsonNode document = send("Page.navigate", Map.of("url", address)).path("loaderId");
    // Another place in the same document has none.
    if (!document.isMissingNode()) {
      Awaitility.await(address + " has loaded")
          .atMost(LIMIT)
          .until(() -> loaded.contains(document.asText()));
    }
  }

  /** The value of an expression in the page. */
  JsonNode evaluate(String expression) {
    JsonNode result =
        send("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true));
    if (result.has("exceptionDetails")) {
      throw new IllegalStateException(expression + ": " + result.path("exceptionDetails"));
    }
    return result.path("result").path("value");
  }

  /** The value that a promise in the page gives. */
  JsonNode evaluateLater(String expression) {
    JsonNode result =
        send(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    if (result.has("exceptionDetails")) {
      throw new IllegalStateException(expression + ": " + result.path("exceptionDetails"));
    }
    return result.path("result").path("value");
  }

  BufferedImage screenshot() throws IOException {
    return ImageIO.read(new ByteArrayInputStream(png()));
  }

  /** The page as PNG. */
  byte[] png() {
    return Base64.getDecoder()
        .decode(send("Page.captureScreenshot", Map.of("format", "png")).path("data").asText());
  }

  /** Makes the page light or dark, and as large as a screen. */
  void emulate(boolean isDark, int width, int height) {
    send(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(
                Map.of("name", "prefers-color-scheme", "value", isDark ? "dark" : "light"),
                Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
    send(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** Clicks a place of the page. */
  void click(int x, int y) {
    for (String type : List.of("mouseMoved", "mousePressed", "mouseReleased")) {
      send(
          "Input.dispatchMouseEvent",
          Map.of("type", type, "x", x, "y", y, "button", "left", "clickCount", 1));
    }
  }

  /** Presses a key that types nothing, such as Tab. */
  void press(String key, int code) {
    for (String type : List.of("keyDown", "keyUp")) {
      send(
          "Input.dispatchKeyEvent",
          Map.of("type", type, "key", key, "code", key, "windowsVirtualKeyCode", code));
    }
  }

  /** Collects garbage, then returns the used bytes of the page's JavaScript heap. */
  long heapBytes() {
    send("HeapProfiler.collectGarbage", Map.of());
    return send("Runtime.getHeapUsage", Map.of()).path("usedSize").asLong();
  }

  /** All addresses that the page has requested. */
  List<String> requests() {
    return List.copyOf(requests);
  }

  /** What the page has logged as an error, and exceptions that nobody caught. */
  List<String> errors() {
    return List.copyOf(errors);
  }

  /** Leaves an empty page; what was emulated ends with the connection. */
  @Override
  public void close() {
    open("about:blank");
    socket.abort();
  }
}
