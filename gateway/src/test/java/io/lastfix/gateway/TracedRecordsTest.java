package io.lastfix.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.lastfix.gateway.kafka.NotStored;
import io.lastfix.gateway.kafka.RecordSender;
import io.lastfix.gateway.tracing.RequestTracing;
import io.lastfix.model.SenderHeaders;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class TracedRecordsTest {
  private static final String RECORDS = "/v1/records/json";
  private static final String MQTT_TOPIC = "lastfix/v1/350000000007919/records/json";
  private static final String CLIENTS_TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String CLIENTS_HEADER = "00-" + CLIENTS_TRACE + "-00f067aa0ba902b7-01";

  private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
  private final RecordingSender sender = new RecordingSender();

  @AutoClose
  private final RequestTracing all = tracing(Sampler.alwaysOn(), ContextPropagators.noop());

  private RequestTracing tracing(Sampler sampler, ContextPropagators propagators) {
    return new RequestTracing(
        OpenTelemetrySdk.builder()
            .setTracerProvider(
                SdkTracerProvider.builder()
                    .setSampler(sampler)
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            .setPropagators(propagators)
            .build());
  }

  /** The span of the record, which ends first, and that of the request. */
  private List<SpanData> spans() {
    await().until(() -> exporter.getFinishedSpanItems().size() == 2);
    return exporter.getFinishedSpanItems();
  }

  @Test
  void theRecordsHeaderNamesTheSpanBelowTheRequests() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, all)) {
      assertThat(gateway.post(RECORDS, TestGateway.JSON_RECORD).statusCode()).isEqualTo(202);

      SpanData send = spans().get(0);
      SpanData request = spans().get(1);
      assertThat(sender.records().get(0).headers())
          .containsEntry(
              SenderHeaders.TRACEPARENT,
              "00-%s-%s-%s"
                  .formatted(
                      request.getTraceId(),
                      send.getSpanId(),
                      send.getSpanContext().getTraceFlags().asHex()));
      assertThat(send.getParentSpanId()).isEqualTo(request.getSpanId());
      assertThat(request.getParentSpanContext().isValid()).isFalse();
      assertThat(request.getName()).isEqualTo("POST /v1/records/:profile");
      assertThat(request.getKind()).isEqualTo(SpanKind.SERVER);
      assertThat(request.getAttributes().get(AttributeKey.longKey("http.response.status_code")))
          .isEqualTo(202);
      assertThat(send.getName()).isEqualTo("send lastfix.location.json");
      assertThat(send.getKind()).isEqualTo(SpanKind.PRODUCER);
      assertThat(send.getAttributes().get(AttributeKey.longKey("messaging.kafka.offset"))).isZero();
      assertThat(
              send.getAttributes()
                  .get(AttributeKey.stringKey("messaging.destination.partition.id")))
          .isEqualTo("3");
      assertThat(send.getEndEpochNanos()).isLessThanOrEqualTo(request.getEndEpochNanos());
    }
    assertThat(SenderHeaders.ALL).containsAll(sender.records().get(0).headers().keySet());
  }

  @Test
  void aRequestThatIsNotSampledHasNeitherHeaderNorSpan() throws Exception {
    try (RequestTracing none = tracing(Sampler.alwaysOff(), ContextPropagators.noop());
        TestGateway gateway = TestGateway.start(sender, none)) {
      assertThat(gateway.post(RECORDS, TestGateway.JSON_RECORD).statusCode()).isEqualTo(202);
    }

    assertThat(sender.records().get(0).headers()).doesNotContainKey(SenderHeaders.TRACEPARENT);
    assertThat(exporter.getFinishedSpanItems()).isEmpty();
  }

  @Test
  void withoutTracingNoRecordHasTheHeaderAlsoIfTheClientSendsOne() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      gateway.post(RECORDS, TestGateway.JSON_RECORD, "traceparent", CLIENTS_HEADER);
    }

    assertThat(sender.records().get(0).headers()).doesNotContainKey(SenderHeaders.TRACEPARENT);
  }

  @Test
  void aClientsTraceIsContinuedOnlyWithItsPropagator() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, all)) {
      gateway.post(RECORDS, TestGateway.JSON_RECORD, "traceparent", CLIENTS_HEADER);
    }
    try (RequestTracing continuing =
            tracing(
                Sampler.parentBased(Sampler.alwaysOff()),
                ContextPropagators.create(W3CTraceContextPropagator.getInstance()));
        TestGateway gateway = TestGateway.start(sender, continuing)) {
      gateway.post(RECORDS, TestGateway.JSON_RECORD, "traceparent", CLIENTS_HEADER);
      gateway.post(RECORDS, TestGateway.JSON_RECORD);
    }

    assertThat(sender.records().get(0).headers().get(SenderHeaders.TRACEPARENT))
        .isNotNull()
        .doesNotContain(CLIENTS_TRACE);
    assertThat(sender.records().get(1).headers().get(SenderHeaders.TRACEPARENT))
        .startsWith("00-" + CLIENTS_TRACE + "-");
    assertThat(sender.records().get(2).headers()).doesNotContainKey(SenderHeaders.TRACEPARENT);
  }

  @Test
  void aRecordThatIsNotStoredIsAnErrorInBothSpans() throws Exception {
    sender.holding();
    try (TestGateway gateway = TestGateway.start(sender, all)) {
      CompletableFuture<HttpResponse<String>> answer =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return gateway.post(RECORDS, TestGateway.JSON_RECORD);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      await().until(() -> sender.records().size() == 1);
      sender.fail(0, NotStored.because("away"));

      assertThat(answer.get().statusCode()).isEqualTo(503);
      assertThat(spans())
          .allSatisfy(it -> assertThat(it.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR));
      assertThat(spans().get(0).getAttributes().get(AttributeKey.stringKey("error.type")))
          .isEqualTo("NotStoredException");
    }
  }

  /** The producer throws some failures at once, for example if it is closed. */
  @Test
  void aSenderThatThrowsLeavesNoSpanWithoutAnEnd() throws Exception {
    RecordSender throwing =
        record -> {
          throw new IllegalStateException("closed");
        };
    try (TestGateway gateway = TestGateway.start(throwing, all)) {
      assertThat(gateway.post(RECORDS, TestGateway.JSON_RECORD).statusCode()).isEqualTo(500);

      assertThat(spans())
          .extracting(SpanData::getName)
          .containsExactly("send lastfix.location.json", "POST /v1/records/:profile");
      assertThat(spans())
          .allSatisfy(it -> assertThat(it.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR));
      assertThat(spans().get(0).getAttributes().get(AttributeKey.stringKey("error.type")))
          .isEqualTo("IllegalStateException");
    }
  }

  @Test
  void aMessageOverMqttHasASpanAndItsRecordTheHeaderAndNeitherNamesTheDevice() throws Exception {
    try (FakeBroker broker = new FakeBroker();
        TestGateway gateway = TestGateway.startWithBroker(sender, all, broker.address())) {
      broker.subscribed().publish(7, MQTT_TOPIC, TestGateway.JSON_RECORD);

      SpanData send = spans().get(0);
      SpanData message = spans().get(1);
      assertThat(sender.records().get(0).headers().get(SenderHeaders.TRACEPARENT))
          .startsWith("00-%s-%s-".formatted(message.getTraceId(), send.getSpanId()));
      assertThat(send.getParentSpanId()).isEqualTo(message.getSpanId());
      assertThat(message.getName()).isEqualTo("receive mqtt-records");
      assertThat(message.getKind()).isEqualTo(SpanKind.CONSUMER);
      assertThat(message.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
      assertThat(spans().toString()).doesNotContain("350000000007919");
      assertThat(gateway.get("/ready").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aMessageOverMqttThatIsNotSampledHasNeitherHeaderNorSpan() throws Exception {
    try (RequestTracing none = tracing(Sampler.alwaysOff(), ContextPropagators.noop());
        FakeBroker broker = new FakeBroker();
        TestGateway gateway = TestGateway.startWithBroker(sender, none, broker.address())) {
      broker.subscribed().publish(7, MQTT_TOPIC, TestGateway.JSON_RECORD);
      await().until(() -> sender.records().size() == 1);
      assertThat(gateway.get("/ready").statusCode()).isEqualTo(200);
    }
    assertThat(sender.records().get(0).headers()).doesNotContainKey(SenderHeaders.TRACEPARENT);
    assertThat(exporter.getFinishedSpanItems()).isEmpty();
  }

  @Test
  void aMessageOverMqttThatIsNotStoredIsAnErrorInBothSpans() throws Exception {
    sender.holding();
    try (FakeBroker broker = new FakeBroker();
        TestGateway gateway = TestGateway.startWithBroker(sender, all, broker.address())) {
      broker.subscribed().publish(7, MQTT_TOPIC, TestGateway.JSON_RECORD);
      await().until(() -> sender.records().size() == 1);
      assertThat(gateway.get("/health").statusCode()).isEqualTo(200);
      sender.fail(0, NotStored.because("away"));
      assertThat(spans())
          .allSatisfy(it -> assertThat(it.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR));
    }
  }

  @Test
  void aRegistrationHasASpan() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, all, "access.openschema=unsigned")) {
      gateway.post("/register", "{}");

      await().until(() -> exporter.getFinishedSpanItems().size() == 1);
      assertThat(exporter.getFinishedSpanItems().get(0).getName()).isEqualTo("POST /register");
    }
  }

  @Test
  void aRefusedRequestHasASpanAndNoRecord() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, all, "access.records=closed")) {
      assertThat(gateway.post(RECORDS, TestGateway.JSON_RECORD).statusCode()).isEqualTo(403);

      await().until(() -> exporter.getFinishedSpanItems().size() == 1);
      assertThat(exporter.getFinishedSpanItems().get(0).getStatus().getStatusCode())
          .isEqualTo(StatusCode.UNSET);
    }
  }

  @Test
  void noSpanHasADeviceOrItsPlace() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, all)) {
      gateway.get("/osmand?id=secret-4711&timestamp=1795176001&lat=37.123&lon=-122.5");
      gateway.get("/health");

      assertThat(spans().get(1).getName()).isEqualTo("GET /osmand");
      assertThat(spans().toString()).doesNotContain("4711", "37.123");
    }
  }

  /** Its thread would hold the spans, and keep an embedding program's class loader. */
  @Test
  void aGatewayThatDoesNotStartEndsTheThreadOfItsSpans() {
    GatewayConfig config =
        GatewayConfig.load(
            null,
            List.of(
                "tracing.enabled=true",
                "kafka.bootstrap-servers=127.0.0.1:1",
                "kafka.start-timeout=1 s"));

    Set<Thread> before = Thread.getAllStackTraces().keySet();
    CompletableFuture<Gateway> start = CompletableFuture.supplyAsync(() -> Gateway.start(config));
    Thread spans = await("the thread has begun").until(() -> spansThread(before), Objects::nonNull);
    assertThatThrownBy(start::join).hasCauseInstanceOf(IllegalStateException.class);

    await("the thread ends").until(() -> !spans.isAlive());
  }

  private static @Nullable Thread spansThread(Set<Thread> before) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("BatchSpanProcessor"))
        .filter(thread -> !before.contains(thread))
        .findFirst()
        .orElse(null);
  }
}
