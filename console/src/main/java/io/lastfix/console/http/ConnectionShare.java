package io.lastfix.console.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelPipeline;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Closes connections of an address that has too many, so that others can still connect. */
public final class ConnectionShare {
  private final int limit;
  private final Map<String, Integer> open = new ConcurrentHashMap<>();

  /**
   * No connections.
   *
   * @param limit how many one client may have; see {@link FairShare}
   */
  public ConnectionShare(int limit) {
    this.limit = limit;
  }

  /** Counts a new connection, and closes it if its client has too many. */
  public void add(ChannelPipeline pipeline) {
    Channel channel = pipeline.channel();
    if (channel.remoteAddress() instanceof InetSocketAddress remote) {
      String client = FairShare.client(remote.getAddress());
      int own = open.merge(client, 1, Integer::sum);
      var unused =
          channel
              .closeFuture()
              .addListener(
                  closed ->
                      open.computeIfPresent(client, (key, count) -> count > 1 ? count - 1 : null));
      if (own > limit) {
        var unusedClosing = channel.close();
      }
    }
  }
}
