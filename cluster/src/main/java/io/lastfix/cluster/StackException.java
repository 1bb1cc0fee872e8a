package io.lastfix.cluster;

import java.io.Serial;

/**
 * A failure of the local stack. The message is for the user: what happened, where, and the remedy.
 */
public final class StackException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** A failure without a useful cause. */
  public StackException(String message) {
    super(message);
  }

  /** A failure with its cause, which the user sees with {@code --verbose} only. */
  public StackException(String message, Throwable cause) {
    super(message, cause);
  }
}
