package io.lastfix.jobs.config;

/** What the job does if Kafka has deleted records before it read them. */
public enum OnGap {
  /** It logs an error, counts the records, and continues with the first remaining record. */
  CONTINUE,
  /** It ends and is not restarted. */
  FAIL;

  /**
   * Message in the failure of a job that {@link #FAIL} has ended; resuming such a job would fail
   * again.
   */
  public static final String ENDED = "The job ends because of source.on-gap: fail";
}
