package io.lastfix.store.connect;

/** What was opened already when a later step of the same opening fails. */
public final class Opened {
  private Opened() {}

  /**
   * Closes it: nobody else has it yet.
   *
   * @param failure is thrown on by the caller; takes up what goes wrong while closing
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
