package io.lastfix.gateway.config;

import java.time.Duration;

/**
 * Signs of life.
 *
 * @param topic to which they are written
 * @param tickInterval time between two ticks into a partition
 * @param c2Interval time between two heartbeats of a MiNiFi agent, which does not say it
 */
public record HeartbeatOptions(String topic, Duration tickInterval, Duration c2Interval) {}
