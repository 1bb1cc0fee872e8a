package io.lastfix.parse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Headers of a message that were copied from it. */
public final class HeaderList implements MessageHeaders {
  /** The headers of a message that came through no gateway. */
  public static final HeaderList NONE = new HeaderList(List.of(), List.of());

  private final ArrayList<String> names;
  private final ArrayList<byte[]> values;

  private HeaderList(List<String> names, List<byte[]> values) {
    this.names = new ArrayList<>(names);
    this.values = new ArrayList<>(values);
  }

  /** Copies headers. */
  public static HeaderList of(MessageHeaders headers) {
    if (headers instanceof HeaderList list) {
      return list;
    }
    List<String> names = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    headers.forEach(
        (name, value) -> {
          names.add(name);
          values.add(value);
        });
    return of(names, values);
  }

  /** Creates headers from names, and a value for each. */
  public static HeaderList of(List<String> names, List<byte[]> values) {
    if (names.size() != values.size()) {
      throw new IllegalArgumentException(
          "values: expected %d, found %d".formatted(names.size(), values.size()));
    }
    return names.isEmpty() ? NONE : new HeaderList(names, values);
  }

  int size() {
    return names.size();
  }

  String name(int index) {
    return names.get(index);
  }

  byte[] value(int index) {
    return values.get(index);
  }

  @Override
  public byte @Nullable [] last(String name) {
    int index = names.lastIndexOf(name);
    return index < 0 ? null : values.get(index);
  }

  @Override
  public void forEach(BiConsumer<String, byte[]> action) {
    for (int i = 0; i < names.size(); i++) {
      action.accept(names.get(i), values.get(i));
    }
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof HeaderList other
        && names.equals(other.names)
        && Arrays.deepEquals(values.toArray(), other.values.toArray());
  }

  @Override
  public int hashCode() {
    return names.hashCode();
  }

  /** Returns the names: a value may say who somebody is. */
  @Override
  public String toString() {
    return names.toString();
  }
}
