package io.lastfix.gateway.http;

import com.linecorp.armeria.common.ClosedSessionException;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
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

  private final int max;
  private final int maxPerConnection;
  private final AtomicInteger open = new AtomicInteger();

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

  /** Counts the requests of a service; one too many on its connection closes the connection. */
  public HttpService count(HttpService service) {
    return new Counting(service);
  }

  private final class Counting extends SimpleDecoratingHttpService {
    private Counting(HttpService service) {
      super(service);
    }

    @Override
    public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
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
      boolean isPipelined = here > 1 && !context.sessionProtocol().isMultiplex();
      if (channel != null && isPipelined && (here > maxPerConnection || isFull())) {
        var unusedClosing = channel.close();
        return HttpResponse.ofFailure(ClosedSessionException.get());
      }
      return unwrap().serve(context, request);
    }

    /** Requests of one connection are served on its event loop, so nothing races here. */
    private AtomicInteger ofConnection(@Nullable Channel channel) {
      if (channel == null) {
        return new AtomicInteger();
      }
      AtomicInteger counter = channel.attr(OF_CONNECTION).get();
      if (counter == null) {
        counter = new AtomicInteger();
        channel.attr(OF_CONNECTION).set(counter);
      }
      return counter;
    }
  }
}
