package io.lastfix.console.http;

import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/**
 * Counts and times the answers, by what the first part of the path says and by status. An address
 * may name a user, so no path is a label.
 */
public final class RequestMetrics {
  private static final String NAME = "lastfix.console.request";

  private RequestMetrics() {}

  /** Returns a decorator of all services. */
  public static DecoratingHttpServiceFunction in(MeterRegistry registry) {
    return (service, context, request) -> {
      var unused =
          context
              .log()
              .whenComplete()
              .thenAccept(
                  log -> {
                    if (log.isAvailable(RequestLogProperty.RESPONSE_END_TIME)) {
                      Timer.builder(NAME)
                          .description("Time from a request's start to the end of its answer")
                          .tag("class", kind(context))
                          .tag("status", Integer.toString(log.responseHeaders().status().code()))
                          .register(registry)
                          .record(log.totalDurationNanos(), TimeUnit.NANOSECONDS);
                    }
                  });
      return service.serve(context, request);
    };
  }

  private static String kind(ServiceRequestContext context) {
    String path = context.path();
    if (path.startsWith("/v1/live")) {
      return "live";
    }
    return path.startsWith("/v1/") ? "api" : "page";
  }
}
