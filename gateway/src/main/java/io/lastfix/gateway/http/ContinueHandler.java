package io.lastfix.gateway.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.linecorp.armeria.common.logging.RequestLogProperty;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/**
 * Holds {@code 100 Continue} back until a route reads the body (HTTP/1.1). Armeria writes it before
 * any route has seen the head, so a client that asks first would send a body that is refused. A
 * handler of one connection, between the HTTP codec and TLS.
 */
public final class ContinueHandler extends ChannelOutboundHandlerAdapter {
  private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";
  private static final ByteBuf START =
      Unpooled.unreleasableBuffer(Unpooled.copiedBuffer("HTTP/1.1 100 ", US_ASCII));
  private static final AttributeKey<ChannelHandlerContext> HELD =
      AttributeKey.valueOf(ContinueHandler.class, "held");

  /** A handler for a new connection. */
  public ContinueHandler() {}

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
      throws Exception {
    // With a request in flight it was written late, after an earlier answer: its body is wanted
    // already, because the route saw the head while that answer was due.
    if (message instanceof ByteBuf bytes
        && isContinue(bytes)
        && !RequestsInFlight.hasOpen(context.channel())) {
      bytes.release();
      promise.setSuccess();
      context.channel().attr(HELD).set(context);
      return;
    }
    super.write(context, message, promise);
  }

  private static boolean isContinue(ByteBuf bytes) {
    return ByteBufUtil.equals(bytes, bytes.readerIndex(), START, 0, START.readableBytes());
  }

  /** Asks the client for the body, if it waits for that. */
  static void proceed(ServiceRequestContext context) {
    ChannelHandlerContext held = take(context);
    if (held != null) {
      // A failure is the connection's end, of which the body's reader hears.
      var unused = held.writeAndFlush(Unpooled.copiedBuffer(CONTINUE, US_ASCII));
    }
  }

  /** Leaves a client that waits for {@code 100 Continue} to its answer. */
  static void forget(ServiceRequestContext context) {
    var unused = take(context);
  }

  private static @Nullable ChannelHandlerContext take(ServiceRequestContext context) {
    Channel channel = context.log().ensureAvailable(RequestLogProperty.SESSION).channel();
    return channel == null ? null : channel.attr(HELD).getAndSet(null);
  }
}
