package io.lastfix.gateway.http;

import io.lastfix.gateway.config.LimitOptions;
import io.lastfix.gateway.heartbeats.Quota;
import io.lastfix.gateway.heartbeats.SignsOfLife;
import io.lastfix.gateway.kafka.ByteBudget;
import io.lastfix.gateway.metrics.GatewayMetrics;
import io.lastfix.gateway.tracing.RequestTracing;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What all routes share.
 *
 * @param topics by profile
 * @param limits of a request
 * @param budget of all requests
 * @param inFlight the requests that are open
 * @param longestAnswer of the sender
 * @param signs sends records and signs of life
 * @param quota of devices; null: none
 * @param sdk the check of clients' releases
 * @param problems the refusals
 * @param metrics the counters
 * @param tracing of requests; null: none
 * @param clock the time
 */
public record RecordServices(
    Map<String, String> topics,
    LimitOptions limits,
    ByteBudget budget,
    RequestsInFlight inFlight,
    Duration longestAnswer,
    SignsOfLife signs,
    @Nullable Quota quota,
    SdkCheck sdk,
    Problems problems,
    GatewayMetrics metrics,
    @Nullable RequestTracing tracing,
    InstantSource clock) {
  /** Returns the services of registrations, which have a budget of their own. */
  public RecordServices forRegistrations(ByteBudget own) {
    return new RecordServices(
        topics,
        limits,
        own,
        inFlight,
        longestAnswer,
        signs,
        quota,
        sdk,
        problems.ofRegistrations(own),
        metrics,
        tracing,
        clock);
  }
}
