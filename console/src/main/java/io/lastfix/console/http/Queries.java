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

/**
 * Runs queries outside the event loops, and limits how many run at once, and how many bytes of
 * answers wait for their readers: without that, readers that do not read would fill the memory.
 */
public final class Queries {
  private static final int KIB = 1024;

  /** While it is made, an answer of 25,000 sightings takes some 50 MB. */
  private static final int LARGE_AT_ONCE = 2;

  /** One query. */
  public interface Query {
    /** Returns the answer. */
    ObjectNode run() throws Exception;
  }

  private final int limit;
  private final Semaphore free;
  private final Semaphore freeKib;
  private final Semaphore freeLarge = new Semaphore(LARGE_AT_ONCE);

  /**
   * Queries.
   *
   * @param limit how many may run or wait
   * @param limitKib how many KiB of answers may be on their way
   */
  public Queries(int limit, int limitKib) {
    this.limit = limit;
    free = new Semaphore(limit);
    freeKib = new Semaphore(limitKib);
  }

  /**
   * Answers with the query's result.
   *
   * @param isLarge whether the answer may be large; few of these are made at once
   */
  public HttpResponse answer(ServiceRequestContext context, boolean isLarge, Query query) {
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
                  answer.complete(
                      isLarge ? largeAnswer(context, query) : json(context, query.run()));
                }
              } catch (Exception e) {
                answer.completeExceptionally(e);
              } finally {
                free.release();
              }
            });
    return HttpResponse.of(answer);
  }

  private HttpResponse largeAnswer(ServiceRequestContext context, Query query) throws Exception {
    freeLarge.acquire();
    try {
      return json(context, query.run());
    } finally {
      freeLarge.release();
    }
  }

  private HttpResponse json(ServiceRequestContext context, ObjectNode node) {
    HttpData body = HttpData.ofUtf8(node.toString());
    int kib = body.length() / KIB + 1;
    if (!freeKib.tryAcquire(kib)) {
      return Problem.slowReaders().toResponse();
    }
    // Until the last byte has left, or the request has timed out.
    var unused = context.log().whenComplete().thenRun(() -> freeKib.release(kib));
    return HttpResponse.of(
        ResponseHeaders.builder(HttpStatus.OK)
            .contentType(MediaType.JSON)
            .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
            .build(),
        body);
  }
}
