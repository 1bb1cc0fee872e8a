package io.lastfix.operate.rules;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A rule as it is printed.
 *
 * @param state active or paused; or not applied: this release cannot read it, or a fence is lacking
 * @param reason of the pause; null if it is not paused
 * @param when its condition in a few words
 * @param by the account of the operator who put it
 */
public record RuleEntry(
    String rule,
    long version,
    String state,
    @Nullable String reason,
    String when,
    Instant put,
    String by) {}
