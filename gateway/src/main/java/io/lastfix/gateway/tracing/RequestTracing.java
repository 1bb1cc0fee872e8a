package io.lastfix.gateway.tracing;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.logging.RequestLog;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.gateway.kafka.OutgoingRecord;
import io.lastfix.gateway.kafka.Stored;
import io.netty.util.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A span for a request or a message over MQTT, and below it one for the record that it becomes,
 * whose Kafka header {@code traceparent} (W3C Trace Context) names it. Names of spans and
 * attributes are OpenTelemetry's; none has a device, a user, a query or a body. A request that is
 * not sampled has no span and its record no header. Thread-safe.
 */
public final class RequestTracing implements AutoCloseable {
  /** OpenTelemetry's environment variables override them. */
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "otel.service.name", "lastfix-gateway",
          "otel.traces.exporter", "otlp",
          "otel.metrics.exporter", "none",
          "otel.logs.exporter", "none",
          "otel.exporter.otlp.protocol", "http/protobuf",
          "otel.traces.sampler", "traceidratio",
          "otel.traces.sampler.arg", "0.01",
          // A device could otherwise decide that all its requests are sampled.
          "otel.propagators", "none");

  private static final AttributeKey<Context> CONTEXT =
      AttributeKey.valueOf(RequestTracing.class, "CONTEXT");

  private static final TextMapGetter<RequestHeaders> HEADERS =
      (headers, name) -> headers == null ? null : headers.get(name);

  private final OpenTelemetrySdk sdk;
  private final Tracer tracer;
  private final TextMapPropagator incoming;

  /** Traces with an SDK, which it closes in the end. */
  public RequestTracing(OpenTelemetrySdk sdk) {
    this.sdk = sdk;
    tracer = sdk.getTracer("io.lastfix.gateway");
    incoming = sdk.getPropagators().getTextMapPropagator();
  }

  /**
   * Traces as OpenTelemetry's environment variables say. The exporter connects later.
   *
   * @param overrides OpenTelemetry's properties that override the variables
   * @throws IllegalStateException for the user: a variable has a value that is not accepted
   */
  public static RequestTracing configured(Map<String, String> overrides) {
    try {
      return new RequestTracing(
          AutoConfiguredOpenTelemetrySdk.builder()
              .addPropertiesSupplier(() -> DEFAULTS)
              .addPropertiesCustomizer(given -> overrides)
              // The gateway closes it, after the last answer.
              .disableShutdownHook()
              .build()
              .getOpenTelemetrySdk());
    } catch (ConfigurationException e) {
      throw new IllegalStateException(
          "tracing.enabled: OpenTelemetry does not accept its variables (OTEL_...): " + reason(e),
          e);
    }
  }

  /** With the cause: the exception's own message may be "Unexpected configuration error" only. */
  private static String reason(ConfigurationException e) {
    return e.getCause() == null
        ? e.getMessage()
        : e.getMessage() + ": " + e.getCause().getMessage();
  }

  /** A service whose requests have spans. */
  public HttpService decorate(HttpService service) {
    return service.decorate(this::serve);
  }

  private HttpResponse serve(HttpService next, ServiceRequestContext context, HttpRequest request)
      throws Exception {
    Context parent = incoming.extract(Context.root(), request.headers(), HEADERS);
    String method = request.method().name();
    String route = context.config().route().patternString();
    Span span =
        tracer
            .spanBuilder(method + " " + route)
            .setSpanKind(SpanKind.SERVER)
            .setParent(parent)
            .setAttribute("http.request.method", method)
            .setAttribute("http.route", route)
            .startSpan();
    if (span.isRecording()) {
      context.setAttr(CONTEXT, parent.with(span));
      var unused = context.log().whenComplete().thenAccept(log -> end(span, log));
    }
    return next.serve(context, request);
  }

  private static void end(Span span, RequestLog log) {
    int status = log.responseStatus().code();
    if (status > 0) {
      span.setAttribute("http.response.status_code", status);
    } else {
      // The client went away, or the route ends its connection without an answer.
      span.setAttribute("error.type", "no_answer");
    }
    if (status == 0 || status >= 500) {
      span.setStatus(StatusCode.ERROR);
    }
    span.end();
  }

  /**
   * Sends the record of a request.
   *
   * @param sender gets the record, with the header if the request has a span
   */
  public CompletableFuture<Stored> send(
      ServiceRequestContext context,
      OutgoingRecord record,
      Function<OutgoingRecord, CompletableFuture<Stored>> sender) {
    Context parent = context.attr(CONTEXT);
    return parent == null ? sender.apply(record) : send(parent, record, sender);
  }

  /**
   * Sends the record of a message over MQTT, which has a span of its own, without a parent.
   *
   * @param route of the message; has no device, unlike its topic
   * @param sender gets the record, with the header if the message has a span
   */
  public CompletableFuture<Stored> receive(
      String route,
      OutgoingRecord record,
      Function<OutgoingRecord, CompletableFuture<Stored>> sender) {
    Span span = messaging(Context.root(), SpanKind.CONSUMER, "receive", route, "mqtt").startSpan();
    return span.isRecording()
        ? send(Context.root().with(span), record, sender)
            .whenComplete((stored, failure) -> end(span, failure))
        : sender.apply(record);
  }

  /**
   * A span of OpenTelemetry's messaging conventions.
   *
   * @param parent the root context for a span without a parent
   */
  private SpanBuilder messaging(
      Context parent, SpanKind kind, String operation, String destination, String system) {
    return tracer
        .spanBuilder(operation + " " + destination)
        .setSpanKind(kind)
        .setParent(parent)
        .setAttribute("messaging.system", system)
        .setAttribute("messaging.operation.type", operation)
        .setAttribute("messaging.operation.name", operation);
  }

  private CompletableFuture<Stored> send(
      Context parent,
      OutgoingRecord record,
      Function<OutgoingRecord, CompletableFuture<Stored>> sender) {
    Span span =
        messaging(parent, SpanKind.PRODUCER, "send", record.topic(), "kafka")
            .setAttribute("messaging.destination.name", record.topic())
            .setAttribute("messaging.message.body.size", record.value().length)
            .startSpan();
    Map<String, String> headers = new LinkedHashMap<>(record.headers());
    W3CTraceContextPropagator.getInstance()
        .inject(parent.with(span), headers, (all, name, value) -> headers.put(name, value));
    return send(
            new OutgoingRecord(
                record.topic(), record.key(), record.value(), headers, record.partition()),
            sender)
        .whenComplete((stored, failure) -> end(span, stored, failure));
  }

  /** A sender that throws, instead of returning a failure, must not leave a span without an end. */
  private static CompletableFuture<Stored> send(
      OutgoingRecord record, Function<OutgoingRecord, CompletableFuture<Stored>> sender) {
    try {
      return sender.apply(record);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static void end(Span span, @Nullable Stored stored, @Nullable Throwable failure) {
    if (stored != null) {
      span.setAttribute("messaging.destination.partition.id", Integer.toString(stored.partition()));
      span.setAttribute("messaging.kafka.offset", stored.offset());
    }
    end(span, failure);
  }

  private static void end(Span span, @Nullable Throwable failure) {
    if (failure != null) {
      span.setAttribute("error.type", Exceptions.peel(failure).getClass().getSimpleName());
      span.setStatus(StatusCode.ERROR);
    }
    span.end();
  }

  /** Exports the spans that wait, for some seconds at most. */
  @Override
  public void close() {
    sdk.close();
  }
}
