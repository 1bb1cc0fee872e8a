package io.lastfix.store.provision;

/**
 * Something that is there and must not be so, which nobody but a person may change.
 *
 * @param what it is about, for example {@code shard key}
 * @param expected what the configuration says
 * @param found what is on the server
 * @param remedy what to do
 */
public record Difference(String what, String expected, String found, String remedy) {
  @Override
  public String toString() {
    return "%s: expected %s, found %s; %s".formatted(what, expected, found, remedy);
  }
}
