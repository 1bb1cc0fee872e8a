package io.lastfix.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.gateway.devices.RegisteredDevices;
import io.lastfix.gateway.kafka.RecordSender;
import io.lastfix.gateway.tracing.RequestTracing;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** A gateway on a free port, with a sender of the test, and a client of it. */
final class TestGateway implements AutoCloseable {
  static final String JSON_RECORD =
      "{\"user\":\"350000000007919\",\"cell\":\"234-10-4021-20911362\",\"ts\":1795176001001}";

  private final Gateway gateway;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  volatile @Nullable String kafkaProblem;

  private TestGateway(
      RecordSender sender,
      @Nullable RegisteredDevices devices,
      @Nullable RequestTracing tracing,
      List<AutoCloseable> backends,
      String... overrides) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "http.port=0",
                "access.records=unsigned",
                "access.osmand=unsigned",
                "access.owntracks=unsigned",
                "http.lame-duck=1 ms",
                "http.drain-timeout=5 s"));
    settings.addAll(List.of(overrides));
    gateway =
        Gateway.start(
            GatewayConfig.load(null, settings),
            sender,
            devices,
            tracing,
            () -> Optional.ofNullable(kafkaProblem),
            backends);
  }

  static TestGateway start(RecordSender sender, String... overrides) {
    return new TestGateway(sender, null, null, List.of(), overrides);
  }

  /** With traces of requests. */
  static TestGateway start(RecordSender sender, RequestTracing tracing, String... overrides) {
    return new TestGateway(sender, null, tracing, List.of(), overrides);
  }

  /** With devices, whose records have to be signed. */
  static TestGateway start(RecordSender sender, RegisteredDevices devices, String... overrides) {
    List<String> settings =
        new ArrayList<>(List.of("devices.enabled=true", "access.records=signed"));
    settings.addAll(List.of(overrides));
    return new TestGateway(sender, devices, null, List.of(), settings.toArray(String[]::new));
  }

  /** That subscribes to that broker, and takes what nobody has signed. */
  static TestGateway startWithBroker(RecordSender sender, String address, String... overrides) {
    return startWithBroker(sender, null, address, overrides);
  }

  /** That subscribes to that broker, and sends traces. */
  static TestGateway startWithBroker(
      RecordSender sender, @Nullable RequestTracing tracing, String address, String... overrides) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "mqtt.broker=" + address,
                clientIdFile(),
                "mqtt.records=unsigned",
                "mqtt.owntracks=unsigned",
                "mqtt.reconnect-max=300 ms"));
    settings.addAll(List.of(overrides));
    return new TestGateway(sender, null, tracing, List.of(), settings.toArray(String[]::new));
  }

  /** The setting of the client id "id-of-the-test". */
  static String clientIdFile() {
    try {
      Path file = Files.createTempFile("client-id", "");
      file.toFile().deleteOnExit();
      return "mqtt.client-id-file=" + Files.writeString(file, "id-of-the-test");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static TestGateway start(RecordSender sender, AutoCloseable backend, String... overrides) {
    return new TestGateway(sender, null, null, List.of(backend), overrides);
  }

  Gateway gateway() {
    return gateway;
  }

  URI uri(String path) {
    return URI.create(gateway.endpoint() + path);
  }

  int port() {
    return uri("/").getPort();
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(30));
  }

  HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> get(String path) throws Exception {
    return send(request(path));
  }

  /** Posts a body. */
  HttpResponse<String> post(String path, byte[] body, String... headers) throws Exception {
    HttpRequest.Builder request = request(path).POST(HttpRequest.BodyPublishers.ofByteArray(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return send(request);
  }

  HttpResponse<String> post(String path, String body, String... headers) throws Exception {
    return post(path, body.getBytes(UTF_8), headers);
  }

  /** The value of a metric with all its labels; 0 if it is not there. */
  double metric(String name) throws Exception {
    return get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElse(0);
  }

  static byte[] gzip(byte[] plain) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** About that many bytes of gzip that open to a thousand times as many zeros. */
  static byte[] bomb(int bytes) {
    byte[] member = gzip(new byte[16 << 20]);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    while (out.size() + member.length <= bytes) {
      out.writeBytes(member);
    }
    return out.toByteArray();
  }

  @Override
  public void close() {
    gateway.close();
  }
}
