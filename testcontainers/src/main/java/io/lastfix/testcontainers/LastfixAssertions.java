package io.lastfix.testcontainers;

/** Where assertions about Lastfix begin. */
public final class LastfixAssertions {
  private LastfixAssertions() {}

  /** Assertions about what these containers store. Each waits until it holds. */
  public static LastfixAssert assertThat(LastfixContainers actual) {
    return new LastfixAssert(actual);
  }
}
