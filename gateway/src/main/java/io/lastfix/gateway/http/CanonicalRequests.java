package io.lastfix.gateway.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;

/**
 * Serves only requests whose path is written as its route is, and has nothing that the server would
 * clean away first: two slashes in a row, parameters behind a semicolon, or percent-encoding. A
 * signature covers the path as it was sent, and it is kept as a proof. If several ways to write one
 * address were served, a check of the proof would have to clean a path exactly as the server does.
 * Otherwise it would report an honest record as forged.
 *
 * @param problems the refusals
 */
public record CanonicalRequests(Problems problems) {
  /** Decorates a service; requests that it refuses are answered before their body is read. */
  public HttpResponse only(HttpService next, ServiceRequestContext context, HttpRequest request)
      throws Exception {
    if (!isCanonical(context)) {
      return UnreadBody.refuse(context, problems.notFound()).toResponse();
    }
    // RFC 9112 (3.2).
    if (request.headers().getAll(HttpHeaderNames.HOST).size() > 1) {
      return UnreadBody.refuse(context, problems.badRequest("Send one header Host.")).toResponse();
    }
    return next.serve(context, request);
  }

  private static boolean isCanonical(ServiceRequestContext context) {
    String target = context.rawPath();
    int mark = target.indexOf('?');
    return context.decodedPath().contentEquals(mark < 0 ? target : target.substring(0, mark));
  }
}
