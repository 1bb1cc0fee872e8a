package io.lastfix.console.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs queries outside the event loops, and limits how many run at once, and how many bytes of
 * answers wait for their readers: without that, readers that do not read would fill the memory. No
 * client keeps the others from it, see {@link FairShare}.
 *
 * <p>The thread of a query is interrupted once its client has gone, or has to give back its place.
 */
public final class Queries {
  /** How many run at once. */
  public static final int AT_ONCE = 8;

  /** Of these, for clients of which no query runs. */
  private static final int RESERVED = 2;

  /** While it is made, an answer of 25,000 sightings takes some 50 MB. */
  private static final int LARGE_AT_ONCE = 2;

  private static final int RESERVED_LARGE = 1;
  private static final int KIB = 1024;

  private final int limit;
  private final int limitKib;
  private final List<Task> waiting = new ArrayList<>();
  private final List<Task> running = new ArrayList<>();
  private final Map<String, Integer> unreadKib = new HashMap<>();

  /**
   * Queries.
   *
   * @param limit how many may run or wait
   * @param limitKib how many KiB of answers may be on their way; those of one client, half of it
   */
  public Queries(int limit, int limitKib) {
    this.limit = limit;
    this.limitKib = limitKib;
  }

  /**
   * Answers with the query's result.
   *
   * @param isLarge whether the answer may be large; few of these are made at once
   */
  public HttpResponse answer(
      ServiceRequestContext context, boolean isLarge, Callable<ObjectNode> query) {
    Task task = new Task(context, isLarge, query);
    Optional<Task> leaving = Optional.empty();
    synchronized (this) {
      // Those that run are the older ones.
      List<Task> all =
          Stream.concat(running.stream(), waiting.stream()).filter(it -> !it.isStopped).toList();
      if (all.size() >= limit) {
        leaving = FairShare.leaving(all, Task::client, task.client());
        if (leaving.isEmpty()) {
          return Problem.overloaded(limit, FairShare.count(all, Task::client, task.client()))
              .toResponse();
        }
      }
      // From now on it holds no place, so no other request at this moment takes the same.
      leaving.ifPresent(it -> it.isStopped = true);
      waiting.add(task);
    }
    leaving.ifPresent(
        it -> {
          it.answer.complete(Problem.placeGiven().toResponse());
          stop(it);
        });
    var unused =
        context
            .whenRequestCancelling()
            .thenAccept(
                cause -> {
                  task.answer.completeExceptionally(cause);
                  stop(task);
                });
    startWaiting();
    return HttpResponse.of(task.answer);
  }

  /** Ends a query whose answer is complete, without its result. */
  private synchronized void stop(Task task) {
    task.isStopped = true;
    waiting.remove(task);
    if (task.thread != null) {
      task.thread.interrupt();
    }
  }

  private void startWaiting() {
    for (Task next = next(); next != null; next = next()) {
      try {
        next.context.blockingTaskExecutor().execute(next);
      } catch (RejectedExecutionException e) {
        // The console stops.
        next.end();
        next.answer.completeExceptionally(e);
      }
    }
  }

  /** Takes the oldest of the client of which the fewest run; null if none may run now. */
  private synchronized @Nullable Task next() {
    Task next = null;
    int fewest = Integer.MAX_VALUE;
    List<Task> large = running.stream().filter(it -> it.isLarge).toList();
    for (Task task : waiting) {
      int own = FairShare.count(running, Task::client, task.client());
      if (own < fewest
          && hasPlace(running, AT_ONCE, RESERVED, task)
          && (!task.isLarge || hasPlace(large, LARGE_AT_ONCE, RESERVED_LARGE, task))) {
        next = task;
        fewest = own;
      }
    }
    if (next != null) {
      waiting.remove(next);
      running.add(next);
    }
    return next;
  }

  private static boolean hasPlace(List<Task> held, int places, int reserved, Task task) {
    int free = places - held.size();
    return free > reserved || (free > 0 && FairShare.count(held, Task::client, task.client()) == 0);
  }

  private final class Task implements Runnable {
    private final ServiceRequestContext context;
    private final String client;
    private final boolean isLarge;
    private final Callable<ObjectNode> query;
    private final CompletableFuture<HttpResponse> answer = new CompletableFuture<>();
    private @Nullable Thread thread;
    private boolean isStopped;

    private Task(ServiceRequestContext context, boolean isLarge, Callable<ObjectNode> query) {
      this.context = context;
      this.isLarge = isLarge;
      this.query = query;
      client = FairShare.client(context);
    }

    private String client() {
      return client;
    }

    @Override
    public void run() {
      try {
        if (begin()) {
          answer.complete(json(this, query.call()));
        }
      } catch (Exception e) {
        // Of one that was stopped, the answer is complete.
        answer.completeExceptionally(e);
      } finally {
        end();
        startWaiting();
      }
    }

    private boolean begin() {
      synchronized (Queries.this) {
        if (!isStopped) {
          thread = Thread.currentThread();
        }
        return !isStopped;
      }
    }

    private void end() {
      synchronized (Queries.this) {
        running.remove(this);
        if (thread != null) {
          thread = null;
          // An interrupt that came too late is not for the next query.
          Thread.interrupted();
        }
      }
    }
  }

  private HttpResponse json(Task task, ObjectNode node) {
    HttpData body = HttpData.ofUtf8(node.toString());
    int kib = body.length() / KIB + 1;
    if (!takeKib(task.client(), kib)) {
      return Problem.slowReaders().toResponse();
    }
    // Until the last byte has left, or the request has timed out.
    var unused = task.context.log().whenComplete().thenRun(() -> releaseKib(task.client(), kib));
    return HttpResponse.of(
        ResponseHeaders.builder(HttpStatus.OK)
            .contentType(MediaType.JSON)
            .set(HttpHeaderNames.CACHE_CONTROL, "no-store")
            .build(),
        body);
  }

  private synchronized boolean takeKib(String client, int kib) {
    int own = unreadKib.getOrDefault(client, 0) + kib;
    int all = unreadKib.values().stream().mapToInt(Integer::intValue).sum() + kib;
    if (own > limitKib / 2 || all > limitKib) {
      return false;
    }
    unreadKib.put(client, own);
    return true;
  }

  private synchronized void releaseKib(String client, int kib) {
    unreadKib.computeIfPresent(client, (key, own) -> own > kib ? own - kib : null);
  }
}
