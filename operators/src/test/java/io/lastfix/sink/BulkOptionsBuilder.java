package io.lastfix.sink;

import java.time.Duration;

/** The defaults of the configuration, except for those that a test sets. */
public final class BulkOptionsBuilder {
  private int maxRecordsPerBulk = 1_000;
  private int maxBytesPerBulk = 4 << 20;
  private int maxBulksInFlight = 4;
  private int maxBufferedRecords = 20_000;
  private long maxBufferedBytes = 32L << 20;
  private Duration flushInterval = Duration.ofMillis(100);
  private Duration retryInitialBackoff = Duration.ofMillis(50);
  private Duration retryMaxBackoff = Duration.ofSeconds(10);
  private Duration retryTimeout = Duration.ofMinutes(5);

  BulkOptionsBuilder maxRecordsPerBulk(int value) {
    maxRecordsPerBulk = value;
    return this;
  }

  BulkOptionsBuilder maxBytesPerBulk(int value) {
    maxBytesPerBulk = value;
    return this;
  }

  BulkOptionsBuilder maxBulksInFlight(int value) {
    maxBulksInFlight = value;
    return this;
  }

  BulkOptionsBuilder maxBufferedRecords(int value) {
    maxBufferedRecords = value;
    return this;
  }

  BulkOptionsBuilder maxBufferedBytes(long value) {
    maxBufferedBytes = value;
    return this;
  }

  BulkOptionsBuilder flushInterval(Duration value) {
    flushInterval = value;
    return this;
  }

  BulkOptionsBuilder retryInitialBackoff(Duration value) {
    retryInitialBackoff = value;
    return this;
  }

  BulkOptionsBuilder retryMaxBackoff(Duration value) {
    retryMaxBackoff = value;
    return this;
  }

  BulkOptionsBuilder retryTimeout(Duration value) {
    retryTimeout = value;
    return this;
  }

  /** Returns the options. */
  public BulkOptions build() {
    return new BulkOptions(
        maxRecordsPerBulk,
        maxBytesPerBulk,
        maxBulksInFlight,
        maxBufferedRecords,
        maxBufferedBytes,
        flushInterval,
        retryInitialBackoff,
        retryMaxBackoff,
        retryTimeout);
  }
}
