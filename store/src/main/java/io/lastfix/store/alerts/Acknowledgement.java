package io.lastfix.store.alerts;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An operator has seen an alert.
 *
 * @param by the name of the operator's account
 * @param note null: none
 */
public record Acknowledgement(Instant at, String by, @Nullable String note) {}
