package io.lastfix.jobs.config;

import java.util.Locale;

/** What the job does if its state does not hold the catalogue in time. */
public enum OnCatalogTimeout {
  /** It fails, and restarts from its last checkpoint. */
  FAIL,
  /** It reads the location records with what it has of the catalogue. */
  CONTINUE;

  /** As the configuration has it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
