package io.lastfix.rules.judge;

import org.jspecify.annotations.Nullable;

/**
 * The groups of registered devices. They may change at any time: a device that comes to a group, or
 * leaves it, counts so from its next record or timer on. For any number of threads.
 */
public interface Groups {
  /** Without any device. */
  Groups NONE = user -> null;

  /** Returns the group of a user; null if it is no registered device. */
  @Nullable String of(String user);
}
