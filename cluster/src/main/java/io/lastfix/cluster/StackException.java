package io.lastfix.cluster;

/**
 * A failure of the local stack. The message is for the user: what happened, where, and the remedy.
 */
public final class StackException extends RuntimeException {
  /** A failure without a useful cause. */
  public StackException(String message) {
    super(message);
  }

  /** A failure with its cause, which the user sees with {@code --verbose} only. */
  public StackException(String message, Throwable cause) {
    super(message, cause);
  }
}
