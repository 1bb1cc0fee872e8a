package io.lastfix.rules.judge;

import io.lastfix.model.LocatedRecord;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a device and a rule. There is none if everything follows from the device's last
 * judged record.
 *
 * @param version of the rule
 * @param fenceVersion of the fence that the rule's condition names, of a sequence the sum of all; 0
 *     if it names none
 * @param isOn of {@code entered} and {@code left}: whether the device counts as inside; of a
 *     silence: whether it has counted; else whether the condition counts as true
 * @param began the record with which the opposite of {@code isOn} began; null if it has not
 * @param dueMillis the watermark at which that counts without a further record; {@link #NONE} if
 *     {@code began} is null
 * @param alertMillis the instant of the last alert, in epoch milliseconds; {@link #NONE} if its
 *     {@code quiet} is over
 * @param counted how often the rule was true since that alert and was only counted
 * @param progress of a sequence; null: nothing has begun, and the device is outside of its fences
 * @param reported of a rule about silence; null: there was no alert of the silence that lasts
 */
public record Standing(
    long version,
    long fenceVersion,
    boolean isOn,
    @Nullable LocatedRecord began,
    long dueMillis,
    long alertMillis,
    long counted,
    @Nullable Progress progress,
    @Nullable ReportedSilence reported) {
  /** No instant. */
  public static final long NONE = Long.MIN_VALUE;
}
