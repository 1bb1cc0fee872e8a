package io.lastfix.console.http;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.kit.digest.Sha256;
import io.lastfix.model.web.LocalRequests;
import java.security.MessageDigest;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a request may use the API. If a token is configured, the request has to carry it.
 * Otherwise it has to address this machine as {@code localhost} or by its IP address ({@link
 * LocalRequests}), and must not come from another site's page. Without this check, any page in the
 * user's browser could make its own name stand for this machine. It could then read the console's
 * answers, or have it run queries.
 */
public final class AccessCheck {
  private static final String SCHEME = "bearer ";

  private final byte @Nullable [] tokenHash;

  /**
   * A check.
   *
   * @param token null: none is needed
   */
  public AccessCheck(@Nullable String token) {
    tokenHash = token == null ? null : Sha256.of(token);
  }

  /** Decorates a route. */
  public HttpResponse only(HttpService next, ServiceRequestContext context, HttpRequest request)
      throws Exception {
    if (tokenHash == null) {
      if (!LocalRequests.isLocal(request.headers().authority())) {
        return Problem.host().toResponse();
      }
      if (isForeign(request.headers())) {
        return Problem.crossSite().toResponse();
      }
    } else if (!isToken(request.headers().get(HttpHeaderNames.AUTHORIZATION), tokenHash)) {
      return Problem.token().toResponse();
    }
    return next.serve(context, request);
  }

  private static boolean isForeign(RequestHeaders headers) {
    return LocalRequests.isForeign(
            headers.get(HttpHeaderNames.SEC_FETCH_SITE),
            headers.get(HttpHeaderNames.ORIGIN),
            headers.authority())
        && !LocalRequests.isVisit(
            headers.method().name(),
            headers.get(HttpHeaderNames.SEC_FETCH_MODE),
            headers.get(HttpHeaderNames.SEC_FETCH_DEST));
  }

  /** Digests have one length for every token, so the comparison's time reveals nothing. */
  private static boolean isToken(@Nullable String header, byte[] expected) {
    return header != null
        && header.toLowerCase(Locale.ROOT).startsWith(SCHEME)
        && MessageDigest.isEqual(Sha256.of(header.substring(SCHEME.length()).trim()), expected);
  }
}
