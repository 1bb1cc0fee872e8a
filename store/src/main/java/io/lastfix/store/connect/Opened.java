package io.lastfix.store.connect;

/** A resource that was opened before a later step of the same opening failed. */
public final class Opened {
  private Opened() {}

  /**
   * Closes the resource, since no caller holds it yet.
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
