package io.lastfix.sink;

import java.time.Duration;

/** The default options, except for those that a test sets. */
public final class BulkOptionsBuilder {
  private int maxRecordsPerBulk = BulkOptions.defaults().maxRecordsPerBulk();
  private int maxBytesPerBulk = BulkOptions.defaults().maxBytesPerBulk();
  private int maxBulksInFlight = BulkOptions.defaults().maxBulksInFlight();
  private int maxBufferedRecords = BulkOptions.defaults().maxBufferedRecords();
  private long maxBufferedBytes = BulkOptions.defaults().maxBufferedBytes();
  private Duration flushInterval = BulkOptions.defaults().flushInterval();
  private Duration retryInitialBackoff = BulkOptions.defaults().retryInitialBackoff();
  private Duration retryMaxBackoff = BulkOptions.defaults().retryMaxBackoff();
  private Duration retryTimeout = BulkOptions.defaults().retryTimeout();

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

  BulkOptions build() {
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
