package io.lastfix.console.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;

/** Runs queries outside the event loops, and limits how many run at once. */
public final class Queries {
  /** One query. */
  public interface Query {
    /** Returns the answer. */
    ObjectNode run() throws Exception;
  }

  private final int limit;
  private final Semaphore free;

  /**
   * Queries.
   *
   * @param limit how many may run or wait
   */
  public Queries(int limit) {
    this.limit = limit;
    free = new Semaphore(limit);
  }

  /** Answers with the query's result. */
  public HttpResponse answer(ServiceRequestContext context, Query query) {
    if (!free.tryAcquire()) {
      return Problem.overloaded(limit).toResponse();
    }
    CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
    context
        .blockingTaskExecutor()
        .execute(
            () -> {
              try {
                // Nobody may be waiting any more.
                if (context.isCancelled()) {
                  answer.cancel(false);
                } else {
                  answer.complete(json(query.run()));
                }
              } catch (Exception e) {
                answer.completeExceptionally(e);
              } finally {
                free.release();
              }
            });
    return HttpResponse.of(answer);
  }

  private static HttpResponse json(ObjectNode node) {
    return HttpResponse.of(
        ResponseHeaders.builder(HttpStatus.OK)
            .contentType(MediaType.JSON)
            .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
            .build(),
        HttpData.ofUtf8(node.toString()));
  }
}
