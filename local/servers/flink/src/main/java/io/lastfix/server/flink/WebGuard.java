package io.lastfix.server.flink;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.flink.runtime.rest.handler.util.HandlerUtils;
import org.apache.flink.runtime.rest.messages.ErrorResponseBody;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelDuplexHandler;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelHandlerContext;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelPromise;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpHeaderNames;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpHeaders;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpMethod;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpRequest;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpResponse;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpResponseStatus;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.QueryStringDecoder;
import org.apache.flink.shaded.netty4.io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what a page of another site sends through its reader's browser: Flink's REST interface
 * has no log-in, and takes programs to run. Clients that are no browser send none of the fields
 * that are looked at but {@code Host}, and are served as before.
 *
 * <p>A refused request gets 403 (a malformed one 400), an error in the form of Flink's, and the end
 * of its connection. Nothing of its body is stored.
 */
final class WebGuard extends ChannelDuplexHandler {
  private static final String FETCH_SITE = "Sec-Fetch-Site";
  private static final String FETCH_MODE = "Sec-Fetch-Mode";
  private static final String FETCH_DESTINATION = "Sec-Fetch-Dest";

  /** A request of the server's own pages, or one that the user has typed. */
  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

  /** Where Flink cancels and stops jobs by GET, for YARN's proxy. Any image can do that. */
  private static final List<String> CHANGES_BY_GET = List.of("/yarn-cancel", "/yarn-stop");

  private final WebHosts hosts;
  private boolean hasRefused;

  /** A guard of one connection. */
  WebGuard(WebHosts hosts) {
    this.hosts = hosts;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!hasRefused && message instanceof HttpRequest request) {
      refuseIfForeign(context, request);
    }
    if (hasRefused) {
      ReferenceCountUtil.release(message);
    } else {
      context.fireChannelRead(message);
    }
  }

  private void refuseIfForeign(ChannelHandlerContext context, HttpRequest request) {
    Throwable malformed = request.decoderResult().cause();
    String problem = null;
    if (malformed == null) {
      try {
        problem = problemOf(request);
      } catch (IllegalArgumentException e) {
        // An escape in the path that is none.
        malformed = e;
      }
    }
    if (malformed != null) {
      refuse(context, HttpResponseStatus.BAD_REQUEST, "malformed HTTP: " + malformed.getMessage());
    } else if (problem != null) {
      refuse(context, HttpResponseStatus.FORBIDDEN, problem);
    }
  }

  private @Nullable String problemOf(HttpRequest request) {
    HttpHeaders fields = request.headers();
    List<String> named = fields.getAll(HttpHeaderNames.HOST);
    if (named.size() != 1 || !hosts.contains(named.get(0))) {
      return "the request is for another host; if the name in its field Host is one of this"
          + " server's, add it to lastfix.rest.hosts in Flink's configuration";
    }
    for (String origin : fields.getAll(HttpHeaderNames.ORIGIN)) {
      if (!isOf(origin, named.get(0))) {
        return "the request is from a page of another origin";
      }
    }
    for (String site : fields.getAll(FETCH_SITE)) {
      if (!OWN_SITES.contains(site) && !isVisit(request)) {
        return "the request is from a page of another site";
      }
    }
    String path = new QueryStringDecoder(request.uri()).path().replaceAll("/+$", "");
    if (CHANGES_BY_GET.stream().anyMatch(path::endsWith)) {
      return "a GET ends no job here: use PATCH /jobs/:jobid, or lastfix stop";
    }
    return null;
  }

  /** Returns whether an origin is that of a host: the same name and the same port. */
  private static boolean isOf(String origin, String host) {
    String lower = origin.toLowerCase(Locale.ROOT);
    String ofHost = "://" + host.toLowerCase(Locale.ROOT);
    return lower.equals("http" + ofHost) || lower.equals("https" + ofHost);
  }

  /** Returns whether the user has followed a link to here: the other page learns nothing. */
  private static boolean isVisit(HttpRequest request) {
    return request.method().equals(HttpMethod.GET)
        && "navigate".equals(request.headers().get(FETCH_MODE))
        && "document".equals(request.headers().get(FETCH_DESTINATION));
  }

  private void refuse(ChannelHandlerContext context, HttpResponseStatus status, String problem) {
    hasRefused = true;
    var unused =
        HandlerUtils.sendErrorResponse(
            context, false, new ErrorResponseBody(problem), status, Map.of());
  }

  /**
   * Takes away what lets other sites read answers, and sets what keeps Flink's page out of theirs.
   */
  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
      throws Exception {
    if (message instanceof HttpResponse response) {
      response
          .headers()
          .remove(HttpHeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN)
          .set(HttpHeaderNames.X_FRAME_OPTIONS, "SAMEORIGIN");
    }
    super.write(context, message, promise);
  }
}
