package io.lastfix.gateway.signature;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a signature covers of a request, apart from its content.
 *
 * @param method as sent; methods are case-sensitive
 * @param path the path as it was on the wire: percent-encoding untouched, nothing normalized
 * @param query the query as it was on the wire, without the question mark; null if there is none
 * @param headers all headers in their order, with names in any case
 */
public record RequestHead(
    String method, String path, @Nullable String query, List<Map.Entry<String, String>> headers) {
  /**
   * Returns the values of a header in the order of the request, one for each line; empty if it is
   * absent.
   */
  List<String> values(String name) {
    return headers.stream()
        .filter(line -> line.getKey().equalsIgnoreCase(name))
        .map(Map.Entry::getValue)
        .toList();
  }
}
