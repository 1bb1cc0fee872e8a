package io.lastfix.gateway.kafka;

/** Makes the failures of a sender, for tests of what comes of them. */
public final class NotStored {
  private NotStored() {}

  public static NotStoredException because(String message) {
    return new NotStoredException(message, null, false);
  }

  public static NotStoredException tooLarge() {
    return new NotStoredException("the topic takes smaller records", null, true);
  }
}
