package io.lastfix.gateway.tracing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.Server;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class RequestTracingTest {
  @Test
  void closingSendsTheSpansOverOtlp() throws Exception {
    List<String> received = new CopyOnWriteArrayList<>();
    HttpServer collector =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/v1/traces",
        exchange -> {
          received.add(new String(exchange.getRequestBody().readAllBytes(), ISO_8859_1));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    collector.start();
    try (RequestTracing tracing =
        RequestTracing.configured(
            Map.of(
                "otel.exporter.otlp.endpoint",
                "http://127.0.0.1:" + collector.getAddress().getPort(),
                "otel.exporter.otlp.compression",
                "none",
                "otel.traces.sampler",
                "always_on"))) {
      try (Server server =
          Server.builder()
              .http(0)
              .service("/a", tracing.decorate((context, request) -> HttpResponse.of(200)))
              .build()) {
        server.start().join();
        URI address = URI.create("http://127.0.0.1:%d/a".formatted(server.activeLocalPort()));
        var unused =
            HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(address).build(), BodyHandlers.discarding());
      }
    } finally {
      collector.stop(0);
    }

    assertThat(received).singleElement().asString().contains("lastfix-gateway", "GET /a");
  }

  @Test
  void aCollectorThatIsAwayHoldsUpNothing() {
    RequestTracing.configured(Map.of("otel.exporter.otlp.endpoint", "http://127.0.0.1:1")).close();
  }

  @Test
  void aProtocolThatIsNotThereIsNamed() {
    assertThatThrownBy(
            () -> RequestTracing.configured(Map.of("otel.exporter.otlp.protocol", "grpc")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("GrpcSenderProvider");
  }

  @Test
  void aVariableThatIsNotAcceptedIsNamed() {
    assertThatThrownBy(() -> RequestTracing.configured(Map.of("otel.traces.sampler", "some")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("tracing.enabled: OpenTelemetry does not accept its variables")
        .hasMessageContaining("some");
  }
}
