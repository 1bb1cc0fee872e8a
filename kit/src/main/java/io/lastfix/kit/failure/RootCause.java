package io.lastfix.kit.failure;

/** The innermost cause of an exception, which usually says what has happened. */
public final class RootCause {
  private RootCause() {}

  /** Returns the innermost cause, or the failure itself if it has none. */
  public static Throwable of(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root;
  }

  /** Returns the innermost cause's message, or the name of its class if it has none. */
  public static String message(Throwable failure) {
    Throwable root = of(failure);
    return root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
  }
}
