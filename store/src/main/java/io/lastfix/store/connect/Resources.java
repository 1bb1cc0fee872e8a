package io.lastfix.store.connect;

/** Cleans up resources after a failed start. */
public final class Resources {
  private Resources() {}

  /**
   * Closes a resource that was opened before a later step failed, since no caller holds it yet.
   *
   * @param failure the exception that the caller rethrows; failures of closing are added to it as
   *     suppressed
   */
  public static void closeAfter(Throwable failure, AutoCloseable opened) {
    try {
      opened.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure.addSuppressed(e);
    } catch (Throwable e) {
      failure.addSuppressed(e);
    }
  }
}
