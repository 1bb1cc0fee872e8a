package io.lastfix.jobs.config;

import java.util.Locale;

/** When {@code lastfix} looks for positions of stored records whose cell was unknown. */
public enum Relocate {
  /** Only by the command {@code lastfix relocate}. */
  NEVER,
  /** Also after each import of a catalogue file that changed the catalogue. */
  AFTER_IMPORT;

  /** Returns the value as in the configuration. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
