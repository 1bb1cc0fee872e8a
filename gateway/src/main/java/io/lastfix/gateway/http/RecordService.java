package io.lastfix.gateway.http;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.util.TimeoutMode;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.gateway.config.AccessMode;
import io.lastfix.gateway.kafka.ByteBudget;
import io.lastfix.gateway.kafka.NotStoredException;
import io.lastfix.gateway.kafka.OutgoingRecord;
import io.lastfix.gateway.metrics.GatewayMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Takes one request of a {@link RecordRoute}, which becomes one message in Kafka.
 *
 * <p>In this order: what the head alone can refuse; the budget; the body, counted while it is read;
 * what it opens to, counted while it is opened; who is speaking; Kafka. The answer is a yes only
 * after Kafka's acknowledgement. The request's share of the budget is held until then, also if the
 * client goes away meanwhile.
 */
public final class RecordService implements HttpService {
  /** Bodies up to this size, if not compressed, are checked on the event loop. */
  private static final int SMALL_BYTES = 16 * 1024;

  /** A body that opens to no more than this may have any ratio: it harms nobody. */
  private static final int RATIO_FREE_BYTES = 64 * 1024;

  private static final Duration ANSWER_MARGIN = Duration.ofSeconds(5);

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
    this.route = route;
    this.access = access;
    this.authenticator = authenticator;
    this.services = services;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    RequestHead head = RequestHead.of(context, request.headers(), services.clock().instant());
    countAnswer(context, head.received());
    String profile = route.profile(context);
    Problem problem = refuseEarly(head, profile, request.headers().contentLength());
    if (problem != null) {
      return refuse(problem);
    }
    ByteBudget.Share share = services.budget().share();
    BodyReader reader =
        new BodyReader(
            services.limits().maxBytes(),
            request.headers().contentLength(),
            share,
            services.problems());
    request.subscribe(reader, context.eventLoop());
    CompletableFuture<HttpResponse> answer =
        reader
            .body()
            .thenCompose(
                body -> {
                  context.setRequestTimeout(
                      TimeoutMode.SET_FROM_NOW, services.longestAnswer().plus(ANSWER_MARGIN));
                  return accept(context, head, profile, body);
                })
            .handle(this::toResponse);
    // Only when Kafka has decided, or if it was never asked.
    return HttpResponse.of(answer.whenComplete((response, failure) -> share.release()));
  }

  private void countAnswer(ServiceRequestContext context, Instant received) {
    GatewayMetrics metrics = services.metrics();
    var unused =
        context
            .log()
            .whenComplete()
            .thenAccept(
                log -> {
                  Duration taken = Duration.between(received, services.clock().instant());
                  if (log.responseStatus().code() > 0) {
                    metrics.answered(route.name(), log.responseStatus().code(), taken);
                  } else {
                    metrics.abandoned(route.name());
                  }
                });
  }

  private @Nullable Problem refuseEarly(RequestHead head, String profile, long contentLength) {
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
    Problem unauthorized = authenticator.refuseEarly(head);
    if (unauthorized != null) {
      return unauthorized;
    }
    return services.budget().hasRoomFor(Math.max(1, contentLength)) ? null : problems.overloaded();
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

  private CompletionStage<HttpResponse> accept(
      ServiceRequestContext context, RequestHead head, String profile, byte[] body) {
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
    headers.put("received", Long.toString(head.received().toEpochMilli()));
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

  private HttpResponse toResponse(@Nullable HttpResponse response, @Nullable Throwable failure) {
    if (failure == null && response != null) {
      return response;
    }
    Throwable cause =
        failure instanceof CompletionException
                && !(failure instanceof RefusedException)
                && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof RefusedException refused) {
      return refuse(refused.problem());
    }
    if (cause instanceof NotStoredException notStored) {
      return refuse(
          notStored.isTooLarge()
              ? services.problems().tooLargeForTopic()
              : services.problems().notStored());
    }
    // The client went away, or a bug: the server's error handler decides.
    return HttpResponse.ofFailure(cause == null ? new IllegalStateException("no answer") : cause);
  }

  private HttpResponse refuse(Problem problem) {
    services.metrics().refused(route.name(), problem.code());
    return problem.toResponse();
  }
}
