package io.lastfix.sink;

import io.lastfix.kit.poll.Backoff;
import java.io.Serializable;
import java.time.Duration;

/**
 * Sizes of bulks, limits of waiting writes, and retries. All limits apply to one subtask. The
 * configuration checks the ranges.
 *
 * @param maxRecordsPerBulk number of writes at which a bulk is sent; 1 to 100,000 (the server's
 *     {@code maxWriteBatchSize})
 * @param maxBytesPerBulk number of bytes at which a bulk is sent; 1 to 16 MiB (a third of the
 *     server's {@code maxMessageSizeBytes})
 * @param maxBulksInFlight maximum number of bulks without an answer, and thus of threads and
 *     connections; 1 or more
 * @param maxBufferedRecords maximum number of writes buffered, in flight or waiting for a retry. At
 *     the limit, until a write is done, the sink accepts only records that join an unsent write;
 *     not below {@code maxRecordsPerBulk}
 * @param maxBufferedBytes the same in bytes, as encoded; not below {@code maxBytesPerBulk}
 * @param flushInterval how long a record waits in a buffer at most; 1 ms or more
 * @param retryInitialBackoff pause before the first retry of a write. It doubles for each further
 *     retry, and is shortened by up to half at random; 1 ms or more
 * @param retryMaxBackoff longest pause; not below {@code retryInitialBackoff}
 * @param retryTimeout time after the first attempt at which a failed write fails the job; 1 ms or
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
  /**
   * Returns the pause before a bulk is sent again: the initial one, doubled with each attempt up to
   * the maximum, and shortened by up to half at random. Otherwise all subtasks would return at once
   * to a server that has just recovered.
   *
   * @param attempts how often it was sent, 1 or more
   * @param random 0 or more, below 1
   */
  long pauseMillis(int attempts, double random) {
    long pause = new Backoff(retryInitialBackoff, retryMaxBackoff).after(attempts).toMillis();
    return Math.max(1, pause - (long) (pause / 2.0 * random));
  }

  /** Returns a copy with another number of bulks in flight. */
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
}
