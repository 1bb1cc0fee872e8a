package io.lastfix.parse;

import org.jspecify.annotations.Nullable;

/** Decides whether a message may have records of a user. */
@FunctionalInterface
public interface UserCheck {
  /** Accepts every user. */
  UserCheck NONE = (text, from, to) -> null;

  /**
   * Returns why the record must be rejected, without the user; null if it is accepted.
   *
   * @param text contains the user from {@code from} to before {@code to}; valid during this call
   */
  @Nullable String refusal(char[] text, int from, int to);
}
