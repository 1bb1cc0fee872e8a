package io.lastfix.console.http;

import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.util.Exceptions;
import com.linecorp.armeria.server.HttpStatusException;
import com.linecorp.armeria.server.RequestTimeoutException;
import com.linecorp.armeria.server.ServerErrorHandler;
import com.linecorp.armeria.server.ServiceConfig;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import io.lastfix.store.query.QueryTimeLimitException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives every failure the form of a {@link Problem}. */
public final class ProblemErrorHandler implements ServerErrorHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ProblemErrorHandler.class);

  @Override
  public HttpResponse onServiceException(ServiceRequestContext context, Throwable cause) {
    return problem(context, Exceptions.peel(cause)).toResponse();
  }

  private static Problem problem(ServiceRequestContext context, Throwable cause) {
    if (cause instanceof ProblemException refusal) {
      return refusal.problem();
    }
    if (cause instanceof QueryTimeLimitException || cause instanceof RequestTimeoutException) {
      return Problem.timeLimit(
          "MongoDB took longer than the console waits: query a shorter time or a smaller area.");
    }
    if (cause instanceof HttpStatusException status) {
      return ofStatus(status.httpStatus());
    }
    if (cause instanceof MongoException && !(cause instanceof MongoExecutionTimeoutException)) {
      LOG.warn(
          "MongoDB did not answer a request to {}: {}",
          LogText.request(context),
          LogText.failure(cause));
      return Problem.storeUnavailable();
    }
    if (!Exceptions.isExpected(cause) && !Exceptions.isStreamCancelling(cause)) {
      String request = context.id().shortText();
      LOG.error(
          "cannot answer request {} to {}: {}",
          request,
          LogText.request(context),
          LogText.trace(cause));
      return Problem.failed(request);
    }
    return Problem.ofStatus(HttpStatus.INTERNAL_SERVER_ERROR);
  }

  private static Problem ofStatus(HttpStatus status) {
    return switch (status.code()) {
      case 404 -> Problem.notFound();
      case 405 -> Problem.methodNotAllowed();
      default -> Problem.ofStatus(status);
    };
  }

  @Override
  public AggregatedHttpResponse renderStatus(
      @Nullable ServiceRequestContext context,
      ServiceConfig config,
      @Nullable RequestHeaders headers,
      HttpStatus status,
      @Nullable String description,
      @Nullable Throwable cause) {
    return ofStatus(status).toAggregatedResponse();
  }
}
