package io.lastfix.rules.judge;

import io.lastfix.model.alert.Alert;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of one step.
 *
 * @param state what is to be kept of the device; null: nothing
 * @param dueMillis the watermark at which {@link DeviceJudge#onTimer} has something to do; there is
 *     one exactly if there is a state
 * @param alerts in the order of their instants
 * @param withheld how many matches were only counted because of {@code quiet}
 * @param undecided how many conditions a value that the record lacks would decide
 * @param failed by rule, how many of its expressions could not be computed
 */
public record Judgement(
    @Nullable DeviceState state,
    long dueMillis,
    List<Alert> alerts,
    int withheld,
    int undecided,
    Map<String, Integer> failed) {}
