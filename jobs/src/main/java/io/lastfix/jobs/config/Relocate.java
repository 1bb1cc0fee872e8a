package io.lastfix.jobs.config;

/** When {@code lastfix} looks for positions of stored records whose cell was unknown. */
public enum Relocate {
  /** Only by the command {@code lastfix relocate}. */
  NEVER,
  /** Also after each import of a catalogue file that changed the catalogue. */
  AFTER_IMPORT
}
