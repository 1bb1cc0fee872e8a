package io.lastfix.gateway.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.CombinedChannelDuplexHandler;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.DecoderResult;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Headers.PseudoHeaderName;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests that the server would take with a guess, where two programs that guess
 * differently see two different requests (RFC 9112, 3.2 and 6.1; RFC 9113, 8.3): HTTP/1.1 without
 * {@code Host}, a transfer coding other than {@code chunked}, and HTTP/2 without {@code :method},
 * {@code :scheme} or {@code :path}, or with a pseudo-header twice. They get 400.
 *
 * <p>A handler of one connection, in front of the server's. By a connection's first bytes the
 * server tells HTTP/1 from HTTP/2 and makes its handlers. So this one lets only these bytes pass,
 * adds the checks to what the server has made, and leaves.
 */
public final class StrictRequests extends ByteToMessageDecoder {
  /** The number of bytes that the server inspects. */
  private static final int FIRST_BYTES = 4;

  /** A handler for a new connection. */
  public StrictRequests() {}

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (in.readableBytes() < FIRST_BYTES) {
      return;
    }
    context.fireChannelRead(in.readRetainedSlice(FIRST_BYTES));
    ChannelPipeline pipeline = context.pipeline();
    // The server's own copy of Netty's HttpServerCodec, which has no public name.
    ChannelHandlerContext codec = pipeline.context(CombinedChannelDuplexHandler.class);
    if (codec != null) {
      pipeline.addAfter(codec.name(), null, new Http1());
    }
    Http2.addTo(pipeline);
    if (!context.isRemoved()) {
      pipeline.remove(this);
    }
  }

  private static final class Http1 extends ChannelInboundHandlerAdapter {
    private boolean mayUpgrade;

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      // A request may change its connection to HTTP/2, whose frames come through here, too.
      if (mayUpgrade && Http2.addTo(context.pipeline())) {
        context.pipeline().remove(this);
      } else if (message instanceof HttpRequest request && request.decoderResult().isSuccess()) {
        String problem = problem(request);
        if (problem != null) {
          request.setDecoderResult(DecoderResult.failure(new MalformedRequestException(problem)));
        } else if (!request.headers().contains(HttpHeaderNames.HOST)) {
          // HTTP/1.0: what load balancers' probes and simple trackers speak. For the server, the
          // request would be one for the machine's name.
          request.headers().set(HttpHeaderNames.HOST, authority(context));
        }
        mayUpgrade = request.headers().contains(HttpHeaderNames.UPGRADE);
      }
      context.fireChannelRead(message);
    }

    private static @Nullable String problem(HttpRequest request) {
      boolean isOld = request.protocolVersion().compareTo(HttpVersion.HTTP_1_1) < 0;
      if (!isOld && !request.headers().contains(HttpHeaderNames.HOST)) {
        return "Send one header Host.";
      }
      List<String> codings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
      boolean isKnown =
          codings.isEmpty()
              || (!isOld
                  && codings.size() == 1
                  && HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.get(0).trim()));
      return isKnown
          ? null
          : "Send a body with Content-Length, or over HTTP/1.1 with Transfer-Encoding: chunked.";
    }

    private static String authority(ChannelHandlerContext context) {
      InetSocketAddress local = (InetSocketAddress) context.channel().localAddress();
      String address = local.getAddress().getHostAddress();
      return (address.contains(":") ? "[" + address + "]" : address) + ":" + local.getPort();
    }
  }

  private static final class Http2 extends Http2FrameListenerDecorator {
    private Http2(Http2FrameListener listener) {
      super(listener);
    }

    /** Returns whether the connection speaks HTTP/2, and is strict from now on. */
    static boolean addTo(ChannelPipeline pipeline) {
      Http2ConnectionHandler handler = pipeline.get(Http2ConnectionHandler.class);
      if (handler == null) {
        return false;
      }
      handler.decoder().frameListener(new Http2(handler.decoder().frameListener()));
      return true;
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext context, int stream, Http2Headers headers, int padding, boolean isEnd)
        throws Http2Exception {
      super.onHeadersRead(context, stream, checked(headers), padding, isEnd);
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext context,
        int stream,
        Http2Headers headers,
        int dependency,
        short weight,
        boolean isExclusive,
        int padding,
        boolean isEnd)
        throws Http2Exception {
      super.onHeadersRead(
          context, stream, checked(headers), dependency, weight, isExclusive, padding, isEnd);
    }

    /** The server answers 400 to a request without a method. Trailers have none either. */
    private static Http2Headers checked(Http2Headers headers) {
      CharSequence method = PseudoHeaderName.METHOD.value();
      boolean isMalformed =
          Arrays.stream(PseudoHeaderName.values())
                  .anyMatch(name -> headers.getAll(name.value()).size() > 1)
              || (headers.contains(method)
                  && !(headers.contains(PseudoHeaderName.PATH.value())
                      && headers.contains(PseudoHeaderName.SCHEME.value())));
      if (isMalformed) {
        headers.remove(method);
      }
      return headers;
    }
  }

  /** Says what a client has to send instead. */
  static final class MalformedRequestException extends RuntimeException {
    private MalformedRequestException(String message) {
      super(message, null, false, false);
    }
  }
}
