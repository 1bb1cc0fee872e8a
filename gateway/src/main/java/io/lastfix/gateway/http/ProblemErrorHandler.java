package io.lastfix.gateway.http;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.ShuttingDownException;
import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.common.stream.AbortedStreamException;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives the server's own refusals the same form as the routes'.
 *
 * @param problems the refusals
 */
public record ProblemErrorHandler(Problems problems) implements ServerErrorHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ProblemErrorHandler.class);

  @Override
  public HttpResponse onServiceException(ServiceRequestContext context, Throwable cause) {
    if (cause instanceof NoAnswerException) {
      return cancelled();
    }
    Problem problem = problem(context, cause);
    BodyService service = context.config().service().as(BodyService.class);
    return service != null && service.endsWithoutAnswer(problem)
        ? cancelled()
        : UnreadBody.refuseWhileReading(context, problem).toResponse();
  }

  /** The server closes the connection, or resets the stream. */
  private static HttpResponse cancelled() {
    return HttpResponse.ofFailure(AbortedStreamException.get());
  }

  private Problem problem(ServiceRequestContext context, Throwable cause) {
    if (cause instanceof RequestTimeoutException) {
      boolean isWhole = context.log().isAvailable(RequestLogProperty.REQUEST_END_TIME);
      return isWhole ? problems.notStored() : problems.timeout();
    }
    if (cause instanceof ShuttingDownException) {
      return problems.draining();
    }
    if (cause instanceof HttpStatusException status) {
      return ofStatus(context, context.config(), status.httpStatus());
    }
    if (Exceptions.isExpected(cause) || Exceptions.isStreamCancelling(cause)) {
      // The client went away, so it does not read the answer.
      return problems.ofStatus(HttpStatus.BAD_REQUEST);
    }
    String request = context.id().shortText();
    LOG.error("cannot answer request {} to {}", request, context.config().route(), cause);
    return problems
        .ofStatus(HttpStatus.INTERNAL_SERVER_ERROR)
        .withDetail("The gateway failed: the reason is in its log, under request " + request + ".");
  }

  private Problem ofStatus(
      @Nullable ServiceRequestContext context, ServiceConfig config, HttpStatus status) {
    if (status.code() == 404) {
      return problems.notFound();
    }
    boolean isMethod = status.code() == 405 && context != null;
    return isMethod
        ? problems.methodNotAllowed(methods(config.server(), context.path()))
        : problems.ofStatus(status);
  }

  /** What the routes of a path take. */
  private static Set<String> methods(Server server, String path) {
    Set<String> names = new TreeSet<>();
    for (ServiceConfig served : server.serviceConfigs()) {
      if (isAt(served.route().patternString(), path)) {
        served.route().methods().forEach(method -> names.add(method.name()));
      }
    }
    return names;
  }

  private static boolean isAt(String pattern, String path) {
    List<String> expected = List.of(pattern.split("/", -1));
    List<String> parts = List.of(path.split("/", -1));
    return expected.size() == parts.size()
        && IntStream.range(0, parts.size())
            .allMatch(i -> expected.get(i).startsWith(":") || expected.get(i).equals(parts.get(i)));
  }

  @Override
  public AggregatedHttpResponse renderStatus(
      @Nullable ServiceRequestContext context,
      ServiceConfig config,
      @Nullable RequestHeaders headers,
      HttpStatus status,
      @Nullable String description,
      @Nullable Throwable cause) {
    Problem problem =
        cause instanceof StrictRequests.MalformedRequestException
            ? problems.badRequest(String.valueOf(cause.getMessage()))
            : ofStatus(context, config, status);
    // Without a context the server itself closes the connection.
    return (context == null ? problem : UnreadBody.refuse(context, problem)).toAggregatedResponse();
  }
}
