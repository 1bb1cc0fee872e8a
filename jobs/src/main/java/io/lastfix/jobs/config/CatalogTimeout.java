package io.lastfix.jobs.config;

import java.io.Serializable;
import java.time.Duration;

/**
 * How long the location records wait for the catalogue at each start, and what the job does then.
 *
 * @param limit the longest wait
 * @param failsJob true: the job then fails, and restarts from its last checkpoint; false: it reads
 *     the records with the entries loaded so far
 */
public record CatalogTimeout(Duration limit, boolean failsJob) implements Serializable {}
