package io.lastfix.cluster;

import io.lastfix.kit.failure.FileFailure;
import java.io.IOException;

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

  /**
   * A failure to use a file.
   *
   * @param deed what was tried, with the file: {@code write /home/me/stack.json}
   */
  public static StackException cannot(String deed, IOException cause) {
    return new StackException("cannot %s: %s".formatted(deed, FileFailure.reason(cause)), cause);
  }
}
