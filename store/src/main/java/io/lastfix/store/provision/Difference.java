package io.lastfix.store.provision;

/**
 * An existing property that contradicts the description; only a person may change it.
 *
 * @param what the property, for example {@code shard key}
 * @param expected value from the configuration
 * @param found value on the server
 * @param remedy what the user can do
 */
public record Difference(String what, String expected, String found, String remedy) {
  @Override
  public String toString() {
    return "%s: expected %s, found %s; %s".formatted(what, expected, found, remedy);
  }
}
