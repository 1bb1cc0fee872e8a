package io.lastfix.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One answer: a device, a moment, a cell, and where that was.
 *
 * @param user the device or subscriber
 * @param timestamp by the record's own clock, with milliseconds
 * @param cell {@code mcc-mnc-area-cid}
 * @param position WGS 84; null where the cell was not known
 */
public record Sighting(String user, Instant timestamp, String cell, @Nullable Position position) {}
