package io.lastfix.store.provision;

/** What is done about collections that are missing or not as they must be. */
public enum ProvisionMode {
  /** What is missing is made; what disagrees fails. */
  AUTO,
  /** What is missing fails, and what disagrees. */
  CHECK,
  /** Nobody looks. The first insert makes a collection without indexes and without shards. */
  OFF
}
