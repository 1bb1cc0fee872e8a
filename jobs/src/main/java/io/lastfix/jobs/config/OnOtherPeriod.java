package io.lastfix.jobs.config;

/** What a submission does if History has partitions of another period than the configured one. */
public enum OnOtherPeriod {
  /**
   * It is refused: a record that is read again would be stored a second time, in a partition of the
   * new period.
   */
  FAIL,
  /** The job is submitted; the old partitions stay as they are. */
  CONTINUE
}
