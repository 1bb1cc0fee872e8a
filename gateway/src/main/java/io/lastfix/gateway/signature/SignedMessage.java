package io.lastfix.gateway.signature;

import java.util.List;
import java.util.Map;

/**
 * How a device signs an MQTT message: as if it were a request. The method is {@link #METHOD}, the
 * path is a slash and the topic, there is no query, and the user properties are its headers.
 */
public final class SignedMessage {
  /** No method of HTTP, so that no signature is valid over both. */
  public static final String METHOD = "PUBLISH";

  private SignedMessage() {}

  /**
   * What a signature covers of a message, apart from its content.
   *
   * @param headers the user properties and the content type
   */
  public static RequestHead head(String topic, List<Map.Entry<String, String>> headers) {
    return new RequestHead(METHOD, path(topic), null, headers);
  }

  /** The path of a device's records; nothing in it is percent-encoded. */
  public static String pathOfRecords(String device, String profile) {
    return path("lastfix/v1/" + device + "/records/" + profile);
  }

  private static String path(String topic) {
    return "/" + topic;
  }
}
