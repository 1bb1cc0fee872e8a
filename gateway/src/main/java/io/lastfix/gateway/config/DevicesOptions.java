package io.lastfix.gateway.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Registration and signatures of devices.
 *
 * @param enabled whether devices register here, and may sign
 * @param topic of groups, devices and decisions
 * @param groupKeys folder of the groups' keys; null: only the environment has them
 * @param tolerance how far a signature's time may be from the gateway's, to both sides
 * @param maxStaleness how long ago the topic may have been read to its end
 */
public record DevicesOptions(
    boolean enabled,
    String topic,
    @Nullable Path groupKeys,
    Duration tolerance,
    Duration maxStaleness) {}
