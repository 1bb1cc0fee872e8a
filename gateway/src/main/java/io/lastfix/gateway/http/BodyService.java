package io.lastfix.gateway.http;

import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.common.util.TimeoutMode;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.gateway.config.AccessMode;
import io.lastfix.gateway.kafka.ByteBudget;
import io.lastfix.gateway.kafka.NotStoredException;
import io.lastfix.gateway.metrics.GatewayMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes requests with a body that becomes a message in Kafka.
 *
 * <p>In this order: whether the gateway stops; what the head alone can refuse; the budget; the
 * body, counted while it is read; what the route does with it. The answer is a yes only after
 * Kafka's acknowledgement. The request's share of the budget is held until then, also if the client
 * goes away meanwhile. The share counts a fixed cost for each request, because one without a body
 * needs memory, too.
 */
public abstract class BodyService implements HttpService {
  /** Headers that name a device, as they are written. */
  private static final Map<String, String> DEVICE_HEADERS =
      Map.of(
          "lastfix-device", "Lastfix-Device", "x-limit-u", "X-Limit-U", "x-limit-d", "X-Limit-D");

  private static final Duration ANSWER_MARGIN = Duration.ofSeconds(5);

  /** What the server, the route and the producer hold for each request; a few kB were measured. */
  static final int REQUEST_BYTES = 16 * 1024;

  /**
   * Target and headers together, in characters. What goes to Kafka beside the body is made of them,
   * and has to fit into {@code TopicCheck.RECORD_OVERHEAD_BYTES}.
   */
  static final int MAX_HEAD_SIZE = 16 * 1024;

  private static final int SMALL_BYTES = 16 * 1024;

  private final String name;
  private final @Nullable RouteAccess access;
  private final RecordServices services;

  /**
   * Serves a route.
   *
   * @param name of the route, in metrics
   * @param access null: the route itself decides which clients may write to it
   */
  public BodyService(String name, @Nullable RouteAccess access, RecordServices services) {
    this.name = name;
    this.access = access;
    this.services = services;
  }

  protected final RecordServices services() {
    return services;
  }

  /** Returns which clients may write to the route, which does not decide that itself. */
  protected final RouteAccess access() {
    return Objects.requireNonNull(access, "the route decides");
  }

  /**
   * Looks at the head of a request to a route that is not closed, before the body is read; null if
   * there is no problem so far. By default: at what is known of the body, and at the sender.
   */
  protected @Nullable Problem refuseHead(
      ServiceRequestContext context, RequestHead head, long contentLength) {
    Problem problem =
        new RecordChecks(services).refuseBody(head.joined("content-encoding"), contentLength);
    return problem == null ? access().authenticator().refuseEarly(head) : problem;
  }

  /** Looks at the sender that a head claims or proves; null if there is no problem so far. */
  protected final @Nullable Problem refuseSender(RecordRoute route, RequestHead head) {
    String claim = access().mode() == AccessMode.UNSIGNED ? route.refuseClaim(head) : null;
    return claim == null
        ? access().authenticator().refuseEarly(head)
        : services.problems().badRequest(claim);
  }

  /** How long a body of this route may be; no more is ever held. */
  protected BodyLimit bodyLimit() {
    return new BodyLimit(services.limits().maxBytes(), services.problems()::tooLarge);
  }

  /** Whether the request's connection or stream ends without an answer, for that problem. */
  protected boolean endsWithoutAnswer(Problem problem) {
    return false;
  }

  /** Where a body is looked at: on the event loop if it is small and not compressed. */
  protected static Executor executor(ServiceRequestContext context, byte[] body) {
    boolean isSmall = body.length <= SMALL_BYTES && !OpenedSize.isGzip(body);
    return isSmall ? Runnable::run : context.blockingTaskExecutor();
  }

  /** Decides about a whole body. */
  protected abstract CompletionStage<HttpResponse> accept(
      ServiceRequestContext context, RequestHead head, byte[] body);

  @Override
  public final HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    RequestHead head = RequestHead.of(context, request.headers(), services.clock().instant());
    countAnswer(context, head.received());
    Problem problem =
        services.inFlight().take(context)
            ? refuseEarly(context, head, request.headers().contentLength())
            : services.problems().draining();
    ByteBudget.Share share = services.budget().share();
    long cost = cost(head);
    if (problem == null && !share.growTo(cost)) {
      problem = services.problems().overloaded();
    }
    if (problem != null) {
      return refuse(UnreadBody.refuse(context, problem));
    }
    BodyReader reader =
        new BodyReader(
            bodyLimit(),
            request.headers().contentLength(),
            share,
            cost,
            context,
            services.problems());
    request.subscribe(reader, context.eventLoop());
    ContinueHandler.proceed(context);
    CompletableFuture<HttpResponse> answer =
        reader
            .body()
            .thenCompose(
                body -> {
                  context.setRequestTimeout(
                      TimeoutMode.SET_FROM_NOW, services.longestAnswer().plus(ANSWER_MARGIN));
                  return accept(context, head, body);
                })
            .handle((response, failure) -> toResponse(context, response, failure));
    // Only when Kafka has decided, or if no record was sent to it.
    return HttpResponse.of(answer.whenComplete((response, failure) -> share.release()));
  }

  private @Nullable Problem refuseEarly(
      ServiceRequestContext context, RequestHead head, long contentLength) {
    int size = head.size();
    if (size > MAX_HEAD_SIZE) {
      return services.problems().headTooLarge(size, MAX_HEAD_SIZE);
    }
    for (Map.Entry<String, String> header : DEVICE_HEADERS.entrySet()) {
      if (!head.isUtf8(header.getKey())) {
        return services
            .problems()
            .badRequest("The header %s is not UTF-8.".formatted(header.getValue()));
      }
    }
    if (access != null && access.mode() == AccessMode.CLOSED) {
      return services.problems().closed(access.key());
    }
    Problem problem = refuseHead(context, head, contentLength);
    if (problem != null) {
      return problem;
    }
    if (services.inFlight().isFull()) {
      return services.problems().tooManyRequests(services.limits().maxRequests());
    }
    return services.budget().hasRoomFor(cost(head) + Math.max(0, contentLength))
        ? null
        : services.problems().overloaded();
  }

  /** What a request costs in memory apart from its body: the head twice, as text and for Kafka. */
  private static long cost(RequestHead head) {
    return REQUEST_BYTES + 2L * head.size();
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
                    metrics.answered(name, log.responseStatus().code(), taken);
                  } else {
                    metrics.abandoned(name);
                  }
                });
  }

  private HttpResponse toResponse(
      ServiceRequestContext context, @Nullable HttpResponse response, @Nullable Throwable failure) {
    if (failure == null && response != null) {
      return response;
    }
    Throwable cause =
        failure == null ? new IllegalStateException("no answer") : Exceptions.peel(failure);
    if (cause instanceof RefusedException refused) {
      return refuse(UnreadBody.refuseWhileReading(context, refused.problem()));
    }
    if (cause instanceof NotStoredException notStored) {
      return refuse(
          notStored.isTooLarge()
              ? services.problems().tooLargeForTopic()
              : services.problems().notStored());
    }
    // The client went away, or a bug: the server's error handler decides.
    return HttpResponse.ofFailure(cause);
  }

  /** Returns what a computation returns; what it does not accept is a bad request, in its words. */
  protected final <T> T orBadRequest(Supplier<T> computation) {
    try {
      return computation.get();
    } catch (IllegalArgumentException e) {
      throw new RefusedException(services.problems().badRequest(String.valueOf(e.getMessage())));
    }
  }

  protected final HttpResponse refuse(Problem problem) {
    services.metrics().refused(name, problem.code());
    return endsWithoutAnswer(problem) ? noAnswer() : problem.toResponse();
  }

  /** Closes the connection (HTTP/1), or resets the stream. */
  static HttpResponse noAnswer() {
    return HttpResponse.ofFailure(new NoAnswerException());
  }
}
