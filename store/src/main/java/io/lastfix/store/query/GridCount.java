package io.lastfix.store.query;

import java.time.Instant;

/**
 * The devices in a square of a {@link Grid}.
 *
 * @param column from west, 0 and more
 * @param row from south, 0 and more
 * @param devices how many, 1 or more
 * @param newest the newest timestamp of their positions
 */
public record GridCount(int column, int row, long devices, Instant newest) {}
