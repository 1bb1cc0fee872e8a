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
 * For a gateway on loopback: refuses what a web page has the user's browser send, such as {@code
 * <img src="http://127.0.0.1:8480/osmand?id=…">}, which would write a record.
 */
public final class LocalOnly {
  private final Problems problems;

  /** Refuses with these problems. */
  public LocalOnly(Problems problems) {
    this.problems = problems;
  }

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
    if (!LocalRequests.isLocal(authority)) {
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
