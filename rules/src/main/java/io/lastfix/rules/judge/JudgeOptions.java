package io.lastfix.rules.judge;

import java.io.Serializable;
import java.time.Duration;

/**
 * How devices are judged.
 *
 * @param cellRadiusMeters the radius of the circle around a cell's position that counts as
 *     containing its devices if the cell's range is unknown, 0 or more
 * @param forgetAfter a device without a record for so long is forgotten, once no {@code for} or
 *     {@code quiet} of it runs: its next record is that of a new device
 */
public record JudgeOptions(double cellRadiusMeters, Duration forgetAfter) implements Serializable {}
