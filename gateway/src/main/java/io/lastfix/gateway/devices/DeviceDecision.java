package io.lastfix.gateway.devices;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A state, and since when it holds.
 *
 * @param since when it was decided; null if that is not known, or if nothing was decided before
 */
public record DeviceDecision(@Nullable Instant since, DeviceState state) {}
