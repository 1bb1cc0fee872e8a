package io.lastfix.gateway.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.model.web.LocalRequests;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what a web page has a user's browser send, such as {@code <img
 * src="http://127.0.0.1:8480/osmand?id=…">}, which would write a record. A gateway on loopback has
 * no name, so there a request for a name is refused, too.
 *
 * @param problems the refusals
 * @param isLocal whether only programs on this machine send requests
 */
public record NoPages(Problems problems, boolean isLocal) {
  /** Decorates a service. */
  public HttpResponse check(HttpService next, ServiceRequestContext context, HttpRequest request)
      throws Exception {
    Problem problem = problem(request.headers());
    return problem == null
        ? next.serve(context, request)
        : UnreadBody.refuse(context, problem).toResponse();
  }

  private @Nullable Problem problem(RequestHeaders headers) {
    String authority = headers.authority();
    if (isLocal && !LocalRequests.isLocal(authority)) {
      return problems.host();
    }
    return LocalRequests.isForeign(
            headers.get(HttpHeaderNames.SEC_FETCH_SITE),
            headers.get(HttpHeaderNames.ORIGIN),
            authority)
        ? problems.crossSite()
        : null;
  }
}
