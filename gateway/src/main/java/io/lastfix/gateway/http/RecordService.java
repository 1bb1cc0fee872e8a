package io.lastfix.gateway.http;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.gateway.config.AccessMode;
import io.lastfix.gateway.kafka.OutgoingRecord;
import io.lastfix.model.SenderHeaders;
import io.lastfix.model.UserPatterns;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Takes one request of a {@link RecordRoute}, which becomes one message in Kafka. What a body opens
 * to is counted while it is opened.
 */
public final class RecordService extends BodyService {
  /** Bodies up to this size, if not compressed, are checked on the event loop. */
  private static final int SMALL_BYTES = 16 * 1024;

  /** A body that opens to no more than this may have any ratio: it harms nobody. */
  private static final int RATIO_FREE_BYTES = 64 * 1024;

  private final RecordRoute route;
  private final AccessMode access;
  private final RequestAuthenticator authenticator;
  private final RecordServices services;

  /** Serves a route. */
  public RecordService(
      RecordRoute route,
      AccessMode access,
      RequestAuthenticator authenticator,
      RecordServices services) {
    super(route.name(), services);
    this.route = route;
    this.access = access;
    this.authenticator = authenticator;
    this.services = services;
  }

  @Override
  @Nullable Problem refuseHead(
      ServiceRequestContext context, RequestHead head, long contentLength) {
    String profile = route.profile(context);
    Problems problems = services.problems();
    if (access == AccessMode.CLOSED) {
      return problems.closed("access." + route.name());
    }
    if (!services.topics().containsKey(profile)) {
      return problems.unknownProfile(profile);
    }
    Problem sdk = route.checksSdk() ? services.sdk().check(head.header(SdkCheck.HEADER)) : null;
    if (sdk != null) {
      return sdk;
    }
    if (!isKnownEncoding(head.header("content-encoding"))) {
      return problems.encoding();
    }
    if (contentLength > services.limits().maxBytes()) {
      return problems.tooLarge(contentLength);
    }
    return authenticator.refuseEarly(head);
  }

  private static boolean isKnownEncoding(@Nullable String encoding) {
    return encoding == null
        || encoding.isBlank()
        || encoding.trim().equalsIgnoreCase("identity")
        || isGzip(encoding);
  }

  private static boolean isGzip(String encoding) {
    return encoding.trim().equalsIgnoreCase("gzip") || encoding.trim().equalsIgnoreCase("x-gzip");
  }

  @Override
  CompletionStage<HttpResponse> accept(
      ServiceRequestContext context, RequestHead head, byte[] body) {
    String profile = route.profile(context);
    byte[] value = route.value(head, body);
    if (value.length == 0) {
      HttpResponse empty = route.empty();
      return CompletableFuture.completedFuture(
          empty == null ? refuse(services.problems().empty()) : empty);
    }
    boolean isSmall = body.length <= SMALL_BYTES && !OpenedSize.isGzip(body);
    Executor executor = isSmall ? Runnable::run : context.blockingTaskExecutor();
    return CompletableFuture.supplyAsync(() -> check(head, profile, body, value), executor)
        .thenCompose(record -> services.sender().send(record))
        .thenApply(
            stored -> {
              services.metrics().stored(route.name(), profile, value.length);
              return route.stored(stored);
            });
  }

  /** What needs the whole body, and computing. */
  private OutgoingRecord check(RequestHead head, String profile, byte[] body, byte[] value) {
    if (OpenedSize.isGzip(body)) {
      checkOpened(body);
    }
    Authentication authentication = authenticator.authenticate(head, body);
    if (authentication instanceof Authentication.Refused refused) {
      throw new RefusedException(refused.problem());
    }
    Authentication.Accepted accepted = (Authentication.Accepted) authentication;
    return new OutgoingRecord(
        String.valueOf(services.topics().get(profile)),
        accepted.device(),
        value,
        headers(head, accepted));
  }

  private void checkOpened(byte[] body) {
    int limit = services.limits().maxOpenedBytes();
    int maxRatio = services.limits().maxRatio();
    long byRatio = Math.max(RATIO_FREE_BYTES, (long) body.length * maxRatio);
    long opened = OpenedSize.of(body, Math.min(limit, byRatio));
    if (opened > byRatio) {
      throw new RefusedException(services.problems().ratio(opened / body.length));
    }
    if (opened > limit) {
      throw new RefusedException(services.problems().opensTooLarge(opened));
    }
  }

  private Map<String, String> headers(RequestHead head, Authentication.Accepted accepted) {
    Map<String, String> headers = new LinkedHashMap<>();
    String device = accepted.device();
    if (device != null) {
      headers.put("device", device);
    }
    headers.put("via", route.name());
    headers.put("auth", access.name().toLowerCase(Locale.ROOT));
    headers.put("received", Long.toString(head.received().toEpochMilli()));
    String speaksFor =
        access == AccessMode.BASIC && device != null ? route.speaksFor(device) : null;
    if (speaksFor != null && UserPatterns.isPattern(speaksFor)) {
      headers.put(SenderHeaders.SPEAKS_FOR, speaksFor);
    }
    String sdk = route.checksSdk() ? head.header(SdkCheck.HEADER) : null;
    if (sdk != null) {
      headers.put("sdk", sdk);
    }
    String encoding = head.header("content-encoding");
    if (encoding != null && isGzip(encoding)) {
      headers.put("content-encoding", "gzip");
    }
    headers.putAll(accepted.headers());
    return headers;
  }
}
