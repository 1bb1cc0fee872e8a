package io.lastfix.parse;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Headers of a message that were copied from it, each name once. */
public final class HeaderList implements MessageHeaders {
  /** The headers of a message that came through no gateway. */
  public static final HeaderList NONE = new HeaderList(Map.of());

  private final Map<String, byte[]> values;

  private HeaderList(Map<String, byte[]> values) {
    this.values = values;
  }

  /** Copies headers. */
  public static HeaderList of(MessageHeaders headers) {
    if (headers instanceof HeaderList list) {
      return list;
    }
    Map<String, byte[]> values = new LinkedHashMap<>();
    headers.forEach(values::put);
    return of(values);
  }

  /** Creates headers from names, and a value for each. */
  public static HeaderList of(List<String> names, List<byte[]> values) {
    Map<String, byte[]> headers = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      headers.put(names.get(i), values.get(i));
    }
    return of(headers);
  }

  static HeaderList of(Map<String, byte[]> values) {
    return values.isEmpty() ? NONE : new HeaderList(values);
  }

  Map<String, byte[]> values() {
    return values;
  }

  @Override
  public byte @Nullable [] last(String name) {
    return values.get(name);
  }

  @Override
  public void forEach(BiConsumer<String, byte[]> action) {
    values.forEach(action);
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof HeaderList other
        && values.keySet().equals(other.values.keySet())
        && values.keySet().stream()
            .allMatch(name -> Arrays.equals(values.get(name), other.values.get(name)));
  }

  @Override
  public int hashCode() {
    return values.keySet().hashCode();
  }

  /** Returns the names only: a value may identify a user. */
  @Override
  public String toString() {
    return values.keySet().toString();
  }
}
