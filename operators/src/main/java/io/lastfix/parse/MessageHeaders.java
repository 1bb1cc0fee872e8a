package io.lastfix.parse;

import io.lastfix.model.SenderHeaders;
import java.io.Serializable;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The {@link SenderHeaders} of a message that came through a gateway; none for other messages.
 * Immutable; the values are shared, not copied, and must not be modified.
 */
public interface MessageHeaders extends Serializable {
  /** Returns the last value under that name; null if there is none. */
  byte @Nullable [] last(String name);

  /** Passes each header on, in a fixed order. */
  default void forEach(BiConsumer<String, byte[]> action) {
    for (String name : SenderHeaders.ALL) {
      byte[] value = last(name);
      if (value != null) {
        action.accept(name, value);
      }
    }
  }
}
