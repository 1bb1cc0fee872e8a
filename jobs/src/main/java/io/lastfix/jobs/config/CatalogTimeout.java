package io.lastfix.jobs.config;

import java.io.Serializable;
import java.time.Duration;

/**
 * How long the location records wait for the catalogue at each start, and what comes after.
 *
 * @param limit the longest wait
 * @param failsJob whether the job fails then, and restarts from its last checkpoint; otherwise it
 *     reads the records with what there is of the catalogue
 */
public record CatalogTimeout(Duration limit, boolean failsJob) implements Serializable {
  private static final long serialVersionUID = 1L;
}
