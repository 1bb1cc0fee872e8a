package io.lastfix.gateway.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpObject;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.channel.Channel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/**
 * Ends a request that has its answer before its body has arrived. Without that, the server would
 * read and drop the body for as long as the client sends it.
 *
 * <p>HTTP/1: the answer says {@code connection: close}. Some of the body is still read and dropped,
 * because closing at once would reset the connection, and the client might never see the answer.
 * After {@link #MAX_BYTES} nothing is read any more, and after {@link #LINGER} the connection is
 * closed. HTTP/2: the stream is reset.
 */
public final class UnreadBody {
  /** How long an answered request may continue to send; the server ends it then. */
  public static final Duration LINGER = Duration.ofSeconds(5);

  /**
   * How much of it is dropped: several times a usual limit, so that a client with somewhat too
   * large a body can finish and see why it was refused.
   */
  static final int MAX_BYTES = 8 << 20;

  private UnreadBody() {}

  /**
   * Returns whether the answer has to close its connection. Drops the rest of a body that is not
   * read.
   */
  public static boolean dropRest(ServiceRequestContext context) {
    HttpRequest request = context.request();
    ContinueHandler.forget(context);
    if (!request.isOpen()) {
      return false;
    }
    request.subscribe(new Dropping(context), context.eventLoop());
    return !context.sessionProtocol().isMultiplex();
  }

  /** Returns the problem, as an answer to a request whose body is not read. */
  static Problem refuse(ServiceRequestContext context, Problem problem) {
    return dropRest(context) ? problem.closing() : problem;
  }

  /** The problem, as an answer to a request whose body has a reader that drops what still comes. */
  static Problem refuseWhileReading(ServiceRequestContext context, Problem problem) {
    boolean closes = context.request().isOpen() && !context.sessionProtocol().isMultiplex();
    return closes ? problem.closing() : problem;
  }

  /** What still comes of a body after its request was refused. */
  static final class Rest {
    private final ServiceRequestContext context;
    private final Subscription body;
    private long dropped;
    private boolean isEnded;

    Rest(ServiceRequestContext context, Subscription body) {
      this.context = context;
      this.body = body;
    }

    /** Drops a part of the body. The server stops reading once that was enough. */
    void drop(int bytes) {
      dropped += bytes;
      boolean isMultiplex = context.sessionProtocol().isMultiplex();
      if (isEnded || (!isMultiplex && dropped <= MAX_BYTES)) {
        return;
      }
      isEnded = true;
      body.cancel();
      Channel channel = context.log().ensureAvailable(RequestLogProperty.SESSION).channel();
      if (!isMultiplex && channel != null) {
        // The connection ends with the answer; the client has to wait for that.
        channel.config().setAutoRead(false);
      }
    }
  }

  private static final class Dropping implements Subscriber<HttpObject> {
    private final ServiceRequestContext context;
    private @Nullable Rest rest;

    private Dropping(ServiceRequestContext context) {
      this.context = context;
    }

    @Override
    public void onSubscribe(Subscription to) {
      rest = new Rest(context, to);
      to.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(HttpObject part) {
      if (rest != null) {
        rest.drop(part instanceof HttpData data ? data.length() : 0);
      }
    }

    // The request has its answer already: how its body ends makes no difference.
    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onComplete() {}
  }
}
