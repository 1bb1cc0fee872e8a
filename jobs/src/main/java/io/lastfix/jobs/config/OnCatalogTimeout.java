package io.lastfix.jobs.config;

/** What the job does if its state does not hold the catalogue in time. */
public enum OnCatalogTimeout {
  /** It fails, and restarts from its last checkpoint. */
  FAIL,
  /** It reads the location records with the entries loaded so far. */
  CONTINUE
}
