package io.lastfix.store.alerts;

import io.lastfix.model.alert.Alert;
import java.util.Optional;

/**
 * An alert, and who has acknowledged it.
 *
 * @param acknowledgement empty: it is not acknowledged
 */
public record StoredAlert(Alert alert, Optional<Acknowledgement> acknowledgement) {}
