package io.lastfix.gateway.http;

import com.linecorp.armeria.common.ClosedSessionException;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.kit.poll.Poll;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counts the requests that are open: their head has arrived, and their answer is not yet written.
 * Requests of all addresses count. HTTP/1.1 lets a client send requests without waiting for
 * answers, and answers keep the order of their requests, so behind one that waits for Kafka any
 * number of others could fill the memory. Thread-safe.
 */
public final class RequestsInFlight {
  private static final AttributeKey<AtomicInteger> OF_CONNECTION =
      AttributeKey.valueOf(RequestsInFlight.class, "open");

  private static final Duration CHECK = Duration.ofMillis(20);

  private final int max;
  private final int maxPerConnection;
  private final AtomicInteger open = new AtomicInteger();

  /** Those of {@link #open} that were not refused because the gateway stops. */
  private final AtomicInteger taken = new AtomicInteger();

  private volatile boolean isEndingConnections;
  private volatile boolean isRefusing;

  /**
   * A count with limits.
   *
   * @param max on all connections together
   * @param maxPerConnection on one connection
   */
  public RequestsInFlight(int max, int maxPerConnection) {
    this.max = max;
    this.maxPerConnection = maxPerConnection;
  }

  /** The requests that are open. */
  public int open() {
    return open.get();
  }

  /** Whether a connection has a request that is open. */
  static boolean hasOpen(Channel connection) {
    AtomicInteger counter = connection.attr(OF_CONNECTION).get();
    return counter != null && counter.get() > 0;
  }

  /** Whether a request that is open already is one too many. */
  boolean isFull() {
    return open.get() > max;
  }

  /** From now on, each answer over HTTP/1 is the last one of its connection. */
  public void endConnections() {
    isEndingConnections = true;
  }

  /** From now on, {@link #take} takes nothing, and connections of HTTP/2 end, too. */
  public void refuseFurther() {
    isRefusing = true;
  }

  /** Waits until what was taken is answered, or for the longest time. */
  public void awaitAnswers(Duration longest) throws InterruptedException {
    var unused = Poll.until(CHECK, longest, taken::get, count -> count == 0);
  }

  /** Returns whether a request may be served; false: the gateway stops. Call it once for each. */
  boolean take(ServiceRequestContext context) {
    // In this order: a thread that waits for the answers has begun to refuse before.
    taken.incrementAndGet();
    if (isRefusing) {
      taken.decrementAndGet();
      return false;
    }
    var unused =
        context
            .log()
            .whenAvailable(RequestLogProperty.RESPONSE_END_TIME)
            .thenAccept(log -> taken.decrementAndGet());
    return true;
  }

  /** Decorates a service: counts its requests; one too many on its connection closes that. */
  public HttpResponse count(HttpService next, ServiceRequestContext context, HttpRequest request)
      throws Exception {
    Channel channel = context.log().ensureAvailable(RequestLogProperty.SESSION).channel();
    AtomicInteger ofConnection = ofConnection(channel);
    int here = ofConnection.incrementAndGet();
    open.incrementAndGet();
    var unused =
        context
            .log()
            .whenComplete()
            .thenAccept(
                log -> {
                  open.decrementAndGet();
                  ofConnection.decrementAndGet();
                });
    endConnection(context);
    boolean isPipelined = here > 1 && !context.sessionProtocol().isMultiplex();
    if (channel != null && isPipelined && (here > maxPerConnection || isFull())) {
      var unusedClosing = channel.close();
      return HttpResponse.ofFailure(ClosedSessionException.get());
    }
    return next.serve(context, request);
  }

  /**
   * HTTP/1: {@code connection: close} with the answer. HTTP/2: GOAWAY behind the answer, and only
   * once new requests are refused. Some clients, such as Java's before release 23, take it for the
   * end of all their open requests, and would come back here until load balancers have noticed.
   */
  private void endConnection(ServiceRequestContext context) {
    if (!context.sessionProtocol().isMultiplex()) {
      if (isEndingConnections) {
        var unused = context.initiateConnectionShutdown();
      }
      return;
    }
    var unused =
        context
            .log()
            .whenAvailable(RequestLogProperty.RESPONSE_END_TIME)
            .thenAccept(
                log -> {
                  if (isRefusing) {
                    var unusedEnd = context.initiateConnectionShutdown();
                  }
                });
  }

  /** Requests of one connection are served on its event loop, so nothing races here. */
  private static AtomicInteger ofConnection(@Nullable Channel channel) {
    if (channel == null) {
      return new AtomicInteger();
    }
    AtomicInteger counter = new AtomicInteger();
    AtomicInteger before = channel.attr(OF_CONNECTION).setIfAbsent(counter);
    return before == null ? counter : before;
  }
}
