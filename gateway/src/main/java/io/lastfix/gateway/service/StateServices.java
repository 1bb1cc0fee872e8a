package io.lastfix.gateway.service;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.gateway.http.UnreadBody;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** {@code /health}, {@code /ready} and {@code /metrics}. */
public final class StateServices {
  /** The text format of Prometheus. */
  private static final MediaType PROMETHEUS =
      MediaType.parse("text/plain; version=0.0.4; charset=utf-8");

  /** Of devices; their number is not bounded. */
  private static final int MAX_NAMES = 10;

  private StateServices() {}

  /**
   * Answers as long as the process can: 200, or 503 if it should be started again.
   *
   * @param restartReason why it should be; empty if it should not
   */
  public static HttpService health(Supplier<Optional<String>> restartReason) {
    return (context, request) -> {
      Optional<String> reason = restartReason.get();
      ObjectNode json = JsonNodeFactory.instance.objectNode();
      json.put("status", reason.isEmpty() ? "up" : "stuck");
      reason.ifPresent(text -> json.put("reason", text));
      return answer(
          context,
          reason.isEmpty() ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE,
          MediaType.JSON,
          json.toString());
    };
  }

  /**
   * Reports whether requests can be expected to succeed.
   *
   * @param draining whether the gateway stops
   * @param kafkaProblem what is wrong with Kafka; empty if nothing is
   * @param devicesProblem why the decisions about devices are not followed; empty if they are, or
   *     no device signs
   * @param groupsWithoutKey whose devices cannot sign here; those of other groups can
   * @param overQuota the devices that have used their quota up
   * @param isLocal whether only programs on this machine send requests; others get no names of
   *     devices
   * @param mqtt members about the broker; none if there is none. They do not decide: requests over
   *     HTTP succeed without it, and a load balancer has to send them here
   */
  public static HttpService ready(
      BooleanSupplier draining,
      Supplier<Optional<String>> kafkaProblem,
      Supplier<Optional<String>> devicesProblem,
      Supplier<List<String>> groupsWithoutKey,
      Supplier<List<String>> overQuota,
      boolean isLocal,
      Supplier<Map<String, String>> mqtt) {
    return (context, request) -> {
      Optional<String> kafka = kafkaProblem.get();
      boolean isDraining = draining.getAsBoolean();
      Optional<String> devices = devicesProblem.get();
      boolean isReady = kafka.isEmpty() && devices.isEmpty() && !isDraining;
      ObjectNode json = JsonNodeFactory.instance.objectNode();
      json.put("status", isReady ? "ready" : "not ready");
      json.put("kafka", kafka.orElse("ready"));
      json.put("devices", devices.orElse("ready"));
      mqtt.get().forEach(json::put);
      json.put("draining", isDraining);
      groupsWithoutKey.get().forEach(json.putArray("groupsWithoutKey")::add);
      List<String> over = overQuota.get();
      ObjectNode quota = json.putObject("overQuota").put("devices", over.size());
      if (isLocal) {
        over.stream().limit(MAX_NAMES).forEach(quota.putArray("names")::add);
      }
      return answer(
          context,
          isReady ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE,
          MediaType.JSON,
          json.toString());
    };
  }

  /** The metrics, for Prometheus. */
  public static HttpService metrics(PrometheusMeterRegistry registry) {
    return (context, request) -> answer(context, HttpStatus.OK, PROMETHEUS, registry.scrape());
  }

  /** Answers a GET. It may have a body, too, which is not read. */
  private static HttpResponse answer(
      ServiceRequestContext context, HttpStatus status, MediaType type, String content) {
    ResponseHeadersBuilder headers = ResponseHeaders.builder(status).contentType(type);
    if (UnreadBody.dropRest(context)) {
      headers.set(HttpHeaderNames.CONNECTION, "close");
    }
    return HttpResponse.of(headers.build(), HttpData.ofUtf8(content));
  }
}
