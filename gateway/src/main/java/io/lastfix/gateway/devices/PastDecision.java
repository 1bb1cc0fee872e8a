package io.lastfix.gateway.devices;

import java.time.Instant;

/**
 * A decision about a device, and since when it was in force.
 *
 * @param at when it was written
 * @param state what was decided
 */
public record PastDecision(Instant at, DeviceState state) {}
