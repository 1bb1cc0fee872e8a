package io.lastfix.gateway.config;

import java.time.Duration;

/**
 * Signs of life.
 *
 * @param topic to which they are written
 * @param tickInterval time between two ticks into a partition
 */
public record HeartbeatOptions(String topic, Duration tickInterval) {}
