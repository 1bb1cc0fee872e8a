package io.lastfix.console.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;

/**
 * The headers of every answer. The page loads its scripts, styles, map and worker from here and
 * nowhere else, and needs neither {@code eval} nor {@code blob:}.
 */
public final class SecurityHeaders {
  private static final String POLICY =
      "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none';"
          + " frame-ancestors 'none'";

  private SecurityHeaders() {}

  /** Decorates a route. */
  public static HttpResponse add(
      HttpService next, ServiceRequestContext context, HttpRequest request) throws Exception {
    context.mutateAdditionalResponseHeaders(
        headers ->
            headers
                .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, POLICY)
                .set(HttpHeaderNames.X_CONTENT_TYPE_OPTIONS, "nosniff")
                .set(HttpHeaderNames.REFERRER_POLICY, "no-referrer")
                .set(HttpHeaderNames.CROSS_ORIGIN_RESOURCE_POLICY, "same-origin"));
    return next.serve(context, request);
  }
}
