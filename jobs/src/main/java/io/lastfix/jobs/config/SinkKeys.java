package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.SettingsReader;
import io.lastfix.sink.BulkOptions;
import java.time.Duration;

/** The keys {@code sink.}: how the sinks batch and retry. */
final class SinkKeys {
  static final Key<Integer> MAX_RECORDS_PER_BULK =
      Key.number(
          "sink.max-records-per-bulk", 1_000, 1, 100_000, "Maximum number of writes in a bulk.");

  static final Key<Integer> MAX_BYTES_PER_BULK =
      Key.size("sink.max-bytes-per-bulk", "4 mb", "Maximum size of the documents in a bulk.")
          .where(size -> size >= 1 && size <= (16 << 20), "1 b to 16 mb")
          .as(Long::intValue);

  static final Key<Integer> MAX_BULKS_IN_FLIGHT =
      Key.atLeastOne(
          "sink.max-bulks-in-flight",
          4,
          "Maximum number of bulks of one History subtask in flight.");

  static final Key<Integer> MAX_BUFFERED_RECORDS =
      Key.atLeastOne(
          "sink.max-buffered-records",
          20_000,
          "Maximum number of writes of one subtask that are not stored yet. At this number the"
              + " subtask accepts only records of users whose Last Known Location waits to be sent.");

  static final Key<Integer> MAX_BUFFERED_BYTES =
      Key.bytes(
          "sink.max-buffered-bytes",
          "32 mb",
          "Maximum size of the documents of one subtask that are not stored yet.");

  static final Key<Duration> FLUSH_INTERVAL =
      Key.positiveDuration(
          "sink.flush-interval",
          "100 ms",
          "Maximum time that a record waits for its bulk to fill.");

  static final Key<Duration> RETRY_INITIAL_BACKOFF =
      Key.positiveDuration(
          "sink.retry.initial-backoff",
          "50 ms",
          "Wait before the first retry of a write that failed for a transient reason. It doubles"
              + " with each retry.");

  static final Key<Duration> RETRY_MAX_BACKOFF =
      Key.positiveDuration("sink.retry.max-backoff", "10 s", "Maximum wait between two retries.");

  static final Key<Duration> RETRY_TIMEOUT =
      Key.positiveDuration(
          "sink.retry.timeout",
          "5 min",
          "Time limit of all retries of a write. After that the job fails and restarts from its last"
              + " checkpoint.");

  private SinkKeys() {}

  /** Reads the keys for History. */
  static BulkOptions read(SettingsReader reader) {
    Duration initialBackoff = reader.get(RETRY_INITIAL_BACKOFF);
    int recordsPerBulk = reader.get(MAX_RECORDS_PER_BULK);
    int bytesPerBulk = reader.get(MAX_BYTES_PER_BULK);
    return new BulkOptions(
        recordsPerBulk,
        bytesPerBulk,
        reader.get(MAX_BULKS_IN_FLIGHT),
        reader.getAtLeast(recordsPerBulk, MAX_RECORDS_PER_BULK, MAX_BUFFERED_RECORDS),
        reader.getAtLeast(bytesPerBulk, MAX_BYTES_PER_BULK, MAX_BUFFERED_BYTES),
        reader.get(FLUSH_INTERVAL),
        initialBackoff,
        reader.getAtLeast(initialBackoff, RETRY_INITIAL_BACKOFF, RETRY_MAX_BACKOFF),
        reader.get(RETRY_TIMEOUT));
  }
}
