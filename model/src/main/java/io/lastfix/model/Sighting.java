package io.lastfix.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One result of a query: a device, a timestamp, a cell and a position.
 *
 * @param user the device or subscriber
 * @param timestamp the record's own timestamp, with milliseconds
 * @param cell {@code mcc-mnc-area-cid}
 * @param position WGS 84; null if the cell was unknown
 */
public record Sighting(String user, Instant timestamp, String cell, @Nullable Position position) {}
