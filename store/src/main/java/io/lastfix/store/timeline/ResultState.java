package io.lastfix.store.timeline;

import java.util.Locale;

/** How complete a stored result is: the field {@code state}. */
public enum ResultState {
  /** It can still change with each record. */
  OPEN,
  /** Only a record that is late changes it. */
  CLOSED,
  /** Computed from History. */
  BATCH;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** Returns the name in documents. */
  public String text() {
    return text;
  }
}
