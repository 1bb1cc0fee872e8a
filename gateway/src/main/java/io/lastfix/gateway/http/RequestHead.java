package io.lastfix.gateway.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The head of a request, as a signature covers it.
 *
 * @param method in capitals
 * @param path as it came, not decoded
 * @param query without the question mark, as it came, not decoded; null if there is none
 * @param headers in their order, with names in small letters
 * @param received when the head arrived
 */
public record RequestHead(
    String method,
    String path,
    @Nullable String query,
    List<Map.Entry<String, String>> headers,
    Instant received) {
  private static final byte[] NOTHING = {};

  static RequestHead of(ServiceRequestContext context, RequestHeaders received, Instant now) {
    List<Map.Entry<String, String>> headers = new ArrayList<>();
    received.forEach(
        (name, value) -> {
          if (name.charAt(0) != ':') {
            headers.add(Map.entry(name.toString().toLowerCase(Locale.ROOT), value));
          }
        });
    // Not RequestHeaders.path(), which the server has normalized: a signature covers the target as
    // it was on the wire.
    String target = context.rawPath();
    int mark = target.indexOf('?');
    return new RequestHead(
        received.method().name(),
        mark < 0 ? target : target.substring(0, mark),
        mark < 0 ? null : target.substring(mark + 1),
        headers,
        now);
  }

  /**
   * The query's octets, as they came; none if there is no query. The server reads each as one
   * character, and clients send raw UTF-8 although a query has to be ASCII.
   */
  public byte[] queryBytes() {
    return query == null ? NOTHING : query.getBytes(ISO_8859_1);
  }

  /** The characters of the target and of all headers. */
  int size() {
    int size = method.length() + path.length() + (query == null ? 0 : query.length());
    for (Map.Entry<String, String> header : headers) {
      size += header.getKey().length() + header.getValue().length();
    }
    return size;
  }

  /**
   * All values of a header, as if it had stood there once (RFC 9110, 5.3); null if it is absent.
   */
  public @Nullable String joined(String name) {
    List<String> values = values(name);
    return values.isEmpty() ? null : String.join(", ", values);
  }

  /** The values of a header, one for each time it is there. The name is in small letters. */
  List<String> values(String name) {
    return headers.stream()
        .filter(header -> header.getKey().equals(name))
        .map(Map.Entry::getValue)
        .toList();
  }

  /**
   * The first value of a header as text; null if it is absent. RFC 9110 (5.5) has octets beyond
   * ASCII be opaque, and the server reads each as one character. Lastfix's ways name a device in
   * UTF-8: a query, JSON, a topic. So does a header, or one device would be two. The signature
   * covers {@link #headers}, the octets.
   */
  public @Nullable String text(String name) {
    String value = header(name);
    String text = value == null ? null : utf8(value);
    return text == null ? value : text;
  }

  /** Whether a header is absent, or its octets are UTF-8. */
  boolean isUtf8(String name) {
    String value = header(name);
    return value == null || utf8(value) != null;
  }

  /** The text that octets, each of them a character, are in UTF-8; null if they are not UTF-8. */
  static @Nullable String utf8(String octets) {
    try {
      for (int i = 0; i < octets.length(); i++) {
        if (octets.charAt(i) > 0x7f) {
          return UTF_8.newDecoder().decode(ByteBuffer.wrap(octets.getBytes(ISO_8859_1))).toString();
        }
      }
      return octets;
    } catch (CharacterCodingException e) {
      return null;
    }
  }

  /** The first value of a header; null if it is absent. The name is in small letters. */
  public @Nullable String header(String name) {
    for (Map.Entry<String, String> header : headers) {
      if (header.getKey().equals(name)) {
        return header.getValue();
      }
    }
    return null;
  }
}
