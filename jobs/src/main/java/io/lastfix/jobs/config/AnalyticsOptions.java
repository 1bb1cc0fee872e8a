package io.lastfix.jobs.config;

import io.lastfix.analytics.counts.Grouping;
import io.lastfix.store.counts.CountsOptions;
import java.io.Serializable;
import java.time.Duration;

/**
 * What the analytics job counts, and where it keeps it.
 *
 * @param grouping by what records are counted
 * @param outOfOrderness how much earlier than the newest record the next one may be; later ones
 *     rewrite numbers that were closed
 * @param counts collections of counts
 * @param countsTopic topic of counts
 */
public record AnalyticsOptions(
    Grouping grouping, Duration outOfOrderness, CountsOptions counts, String countsTopic)
    implements Serializable {}
