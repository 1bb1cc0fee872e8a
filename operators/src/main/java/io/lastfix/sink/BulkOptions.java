package io.lastfix.sink;

import io.lastfix.store.connect.Checks;
import java.io.Serializable;
import java.time.Duration;

/**
 * How records are put together into bulks, how much may wait, and how writes are tried again. All
 * bounds are for one subtask.
 *
 * @param maxRecordsPerBulk a bulk is sent when it has this many writes; 1 to 100,000 (the server's
 *     {@code maxWriteBatchSize})
 * @param maxBytesPerBulk a bulk is sent when it has this many bytes or more; 1 to 16 MiB (a third
 *     of the server's {@code maxMessageSizeBytes})
 * @param maxBulksInFlight bulks sent and not yet answered, and so threads and connections; 1 or
 *     more
 * @param maxBufferedRecords writes buffered, in flight or waiting to be tried again; from then on,
 *     until one is done, the sink takes only what joins a write that was not sent yet; not below
 *     {@code maxRecordsPerBulk}
 * @param maxBufferedBytes the same in bytes, as encoded; not below {@code maxBytesPerBulk}
 * @param flushInterval the longest a record waits in a buffer for others to join it; 1 ms or more
 * @param retryInitialBackoff the pause before the first retry of a write; doubled for each further
 *     one, and shortened by up to half at random; 1 ms or more
 * @param retryMaxBackoff the longest pause; not below {@code retryInitialBackoff}
 * @param retryTimeout a write that fails this long after it was first sent fails the job; 1 ms or
 *     more
 */
public record BulkOptions(
    int maxRecordsPerBulk,
    int maxBytesPerBulk,
    int maxBulksInFlight,
    int maxBufferedRecords,
    long maxBufferedBytes,
    Duration flushInterval,
    Duration retryInitialBackoff,
    Duration retryMaxBackoff,
    Duration retryTimeout)
    implements Serializable {

  private static final int MEBIBYTE = 1 << 20;

  public BulkOptions {
    Checks.atLeast("maxRecordsPerBulk", maxRecordsPerBulk, 1);
    Checks.atMost("maxRecordsPerBulk", maxRecordsPerBulk, 100_000);
    Checks.atLeast("maxBytesPerBulk", maxBytesPerBulk, 1);
    Checks.atMost("maxBytesPerBulk", maxBytesPerBulk, 16 * MEBIBYTE);
    Checks.atLeast("maxBulksInFlight", maxBulksInFlight, 1);
    Checks.atLeast("maxBufferedRecords", maxBufferedRecords, maxRecordsPerBulk);
    Checks.atLeast("maxBufferedBytes", maxBufferedBytes, maxBytesPerBulk);
    Checks.atLeastOneMilli("flushInterval", flushInterval);
    Checks.atLeastOneMilli("retryInitialBackoff", retryInitialBackoff);
    Checks.atLeast("retryMaxBackoff", retryMaxBackoff.toMillis(), retryInitialBackoff.toMillis());
    Checks.atLeastOneMilli("retryTimeout", retryTimeout);
  }

  /** The same but for the bulks in flight. */
  public BulkOptions withMaxBulksInFlight(int bulks) {
    return new BulkOptions(
        maxRecordsPerBulk,
        maxBytesPerBulk,
        bulks,
        maxBufferedRecords,
        maxBufferedBytes,
        flushInterval,
        retryInitialBackoff,
        retryMaxBackoff,
        retryTimeout);
  }

  /** What suits records of a few hundred bytes. */
  public static BulkOptions defaults() {
    return new BulkOptions(
        1_000,
        4 * MEBIBYTE,
        4,
        20_000,
        32L * MEBIBYTE,
        Duration.ofMillis(100),
        Duration.ofMillis(50),
        Duration.ofSeconds(10),
        Duration.ofMinutes(5));
  }
}
