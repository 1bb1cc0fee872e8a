package io.lastfix.parse;

import java.io.Serializable;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The {@link io.lastfix.model.SenderHeaders} of a message that came through a gateway; none for
 * other messages. Immutable; the values are shared, not copied, and must not be modified.
 */
public interface MessageHeaders extends Serializable {
  /** The headers of a message that came through no gateway. */
  MessageHeaders NONE = HeaderList.EMPTY;

  /** Returns the last value under that name; null if there is none. */
  byte @Nullable [] last(String name);

  /** Passes each header on, in a fixed order. */
  void forEach(BiConsumer<String, byte[]> action);
}
