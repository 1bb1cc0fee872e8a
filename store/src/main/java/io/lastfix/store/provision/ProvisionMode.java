package io.lastfix.store.provision;

import java.util.Locale;

/** What the job does if collections are missing or differ from their descriptions. */
public enum ProvisionMode {
  /** Creates what is missing; fails on a difference. */
  AUTO,
  /** Fails if something is missing or differs. */
  CHECK,
  /** Checks nothing. The first insert creates a collection without indexes and without shards. */
  OFF;

  /** Returns the value as in the configuration. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
