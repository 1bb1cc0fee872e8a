package io.lastfix.gateway.signature;

import java.util.List;
import java.util.Map;

/** The headers of a request, as an HTTP server knows them. */
@FunctionalInterface
public interface RequestHeaders {
  /**
   * Returns the values of a header in the order of the request, one for each line; empty if it is
   * absent.
   *
   * @param name in lower case
   */
  List<String> values(String name);

  /** Headers from a list of names, in any case, and values. */
  static RequestHeaders of(List<Map.Entry<String, String>> lines) {
    List<Map.Entry<String, String>> copy = List.copyOf(lines);
    return name ->
        copy.stream()
            .filter(line -> line.getKey().equalsIgnoreCase(name))
            .map(Map.Entry::getValue)
            .toList();
  }
}
