package io.lastfix.jobs.config;

import java.util.Locale;

/** What a submission does if History has partitions of another period than the configured one. */
public enum OnOtherPeriod {
  /**
   * It is refused: a record that is read again would be stored a second time, in the new period's.
   */
  FAIL,
  /** The job is submitted; the old partitions stay as they are. */
  CONTINUE;

  /** As the configuration has it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
