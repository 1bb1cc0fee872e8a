package io.lastfix.server.flink;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.io.network.netty.InboundChannelHandlerFactory;
import org.apache.flink.shaded.netty4.io.netty.channel.Channel;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelHandler;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelInitializer;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelPipeline;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpServerCodec;

/**
 * Puts a {@link WebGuard} in front of each of Flink's REST servers whose class path has this jar: a
 * JobManager's, and that of the SQL client.
 */
public final class WebGuardFactory implements InboundChannelHandlerFactory {
  /** More host names by which clients reach the server; see {@link WebHosts}. */
  public static final ConfigOption<List<String>> HOSTS =
      ConfigOptions.key("lastfix.rest.hosts")
          .stringType()
          .asList()
          .defaultValues()
          .withDescription(
              "Names, without a port, by which clients reach this REST server, beside localhost,"
                  + " IP addresses, rest.address, jobmanager.rpc.address and its service in"
                  + " Kubernetes.");

  @Override
  public int priority() {
    return Integer.MAX_VALUE;
  }

  @Override
  public Optional<ChannelHandler> createHandler(
      Configuration configuration, Map<String, String> responseHeaders) {
    WebHosts hosts = WebHosts.of(configuration);
    // Flink adds handlers behind the one that stores uploads; what is refused is not to be stored.
    return Optional.of(
        new ChannelInitializer<>() {
          @Override
          protected void initChannel(Channel channel) {
            ChannelPipeline pipeline = channel.pipeline();
            pipeline.addAfter(
                pipeline.context(HttpServerCodec.class).name(), null, new WebGuard(hosts));
          }
        });
  }
}
