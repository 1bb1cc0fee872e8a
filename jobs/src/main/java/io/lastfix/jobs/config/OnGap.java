package io.lastfix.jobs.config;

import java.util.Locale;

/** What the job does if Kafka has deleted records before it read them. */
public enum OnGap {
  /** It logs an error, counts the records, and continues with the first record that is left. */
  CONTINUE,
  /** It ends and is not restarted. */
  FAIL;

  /** Stands in the failure of a job that {@link #FAIL} has ended: to resume it is in vain. */
  public static final String ENDED = "The job ends because of source.on-gap: fail";

  /** As the configuration has it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
