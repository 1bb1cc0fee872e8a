package io.lastfix.kit.net;

import io.lastfix.kit.config.Key;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The address of a broker.
 *
 * @param host name or IP address
 * @param port 1 to 65535
 * @param tls whether the connection is encrypted
 */
public record MqttAddress(String host, int port, boolean tls) {
  private static final int PLAIN_PORT = 1883;
  private static final int TLS_PORT = 8883;
  private static final int GREATEST_PORT = 65_535;

  /**
   * Parses {@code mqtt://HOST:PORT} or {@code mqtts://HOST:PORT}; without a port it is the usual
   * one.
   *
   * @throws IllegalArgumentException if it is another form; the message has no part of it
   */
  public static MqttAddress parse(String text) {
    URI uri = uri(text);
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    boolean tls = scheme.equals("mqtts");
    boolean isPlain = scheme.equals("mqtt");
    boolean isAddress = uri.getHost() != null && isEmpty(uri.getPath()) && uri.getQuery() == null;
    // A user in the address would be shown wherever the address is.
    if (!(tls || isPlain) || !isAddress || uri.getUserInfo() != null) {
      throw expected();
    }
    if (uri.getPort() == 0 || uri.getPort() > GREATEST_PORT) {
      throw Key.expected("a port from 1 to " + GREATEST_PORT);
    }
    int usual = tls ? TLS_PORT : PLAIN_PORT;
    return new MqttAddress(uri.getHost(), uri.getPort() < 0 ? usual : uri.getPort(), tls);
  }

  private static URI uri(String text) {
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw expected();
    }
  }

  private static boolean isEmpty(@Nullable String path) {
    return path == null || path.isEmpty() || path.equals("/");
  }

  private static IllegalArgumentException expected() {
    return Key.expected(
        "mqtt://HOST:PORT or mqtts://HOST:PORT, without a user (mqtt.user and mqtt.password)");
  }

  @Override
  public String toString() {
    return (tls ? "mqtts://" : "mqtt://") + host + ":" + port;
  }
}
