package io.lastfix.gateway;

import com.linecorp.armeria.server.Server;
import io.lastfix.gateway.devices.RegisteredDevices;
import io.lastfix.gateway.heartbeats.Quota;
import io.lastfix.gateway.http.RequestsInFlight;
import io.lastfix.gateway.kafka.ByteBudget;
import io.lastfix.gateway.metrics.GatewayMetrics;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The metrics that are read from the parts of a gateway at each scrape.
 *
 * @param metrics where they are registered
 */
record Gauges(GatewayMetrics metrics) {
  void ofRequests(ByteBudget budget, RequestsInFlight inFlight, Server server) {
    metrics.gauge(
        "budget.bytes",
        "Bytes that all requests but registrations together may hold",
        budget::limit);
    metrics.gauge("budget.used.bytes", "Bytes that these requests hold now", budget::used);
    metrics.gauge("requests.open", "Requests without an answer so far", inFlight::open);
    metrics.gauge("connections", "Open connections", server::numConnections);
  }

  void ofDevices(RegisteredDevices devices, ByteBudget registrations) {
    metrics.gauge(
        "registrations.budget.bytes",
        "Bytes that all registrations together may hold",
        registrations::limit);
    metrics.gauge(
        "registrations.budget.used.bytes",
        "Bytes that registrations hold now",
        registrations::used);
    metrics.gauge("devices", "Registered devices", devices.devices()::size);
    metrics.gauge("devices.manifests", "Different manifests", devices.devices()::manifests);
    metrics.gauge(
        "groups.without.key",
        "Groups whose devices cannot sign here",
        () -> devices.groupsWithoutKey().get().size());
    metrics.gauge(
        "devices.skipped.messages",
        "Messages of the devices' topic that could not be read",
        devices.skipped());
  }

  /**
   * Of devices that push.
   *
   * @param quota null: there is none, and no metric of it
   */
  void ofQuota(@Nullable Quota quota) {
    if (quota == null) {
      return;
    }
    metrics.gauge("quota.devices", "Devices that have pushed today", quota::devices);
    metrics.gauge(
        "quota.over.devices",
        "Devices of which a record was refused today because their quota is used up",
        () -> quota.over().size());
    metrics.gauge(
        "quota.uncounted",
        "Records of devices beyond quota.max-devices since the start",
        quota::uncounted);
  }

  void ofKafka(Supplier<Optional<String>> problem) {
    metrics.gauge(
        "kafka.ready", "1: Kafka answers, 0: it does not", () -> problem.get().isEmpty() ? 1 : 0);
  }
}
