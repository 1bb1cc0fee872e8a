package io.lastfix.jobs.config;

import static org.apache.flink.configuration.ConfigOptions.key;

import io.lastfix.sink.BulkOptions;
import java.time.Duration;
import org.apache.flink.configuration.MemorySize;

/** The keys {@code sink.}: how the sinks batch and retry. */
final class SinkKeys {
  static final Key<Integer> MAX_RECORDS_PER_BULK =
      Key.of(
              key("sink.max-records-per-bulk")
                  .intType()
                  .defaultValue(1_000)
                  .withDescription("Maximum number of writes in a bulk."))
          .where(n -> n >= 1 && n <= 100_000, "1 to 100000");

  static final Key<Integer> MAX_BYTES_PER_BULK =
      Key.of(
              key("sink.max-bytes-per-bulk")
                  .memoryType()
                  .defaultValue(MemorySize.ofMebiBytes(4))
                  .withDescription("Maximum size of the documents in a bulk."))
          .where(
              size -> size.getBytes() >= 1 && size.compareTo(MemorySize.ofMebiBytes(16)) <= 0,
              "1 b to 16 mb")
          .as(size -> (int) size.getBytes());

  static final Key<Integer> MAX_BULKS_IN_FLIGHT =
      Key.atLeastOne(
          key("sink.max-bulks-in-flight")
              .intType()
              .defaultValue(4)
              .withDescription("Maximum number of bulks of one History subtask in flight."));

  static final Key<Integer> MAX_BUFFERED_RECORDS =
      Key.atLeastOne(
          key("sink.max-buffered-records")
              .intType()
              .defaultValue(20_000)
              .withDescription(
                  "Maximum number of writes of one subtask that are not stored yet. At this"
                      + " number the subtask accepts only records of users whose Last Known Location"
                      + " waits to be sent."));

  static final Key<Integer> MAX_BUFFERED_BYTES =
      Key.bytes(
          key("sink.max-buffered-bytes")
              .memoryType()
              .defaultValue(MemorySize.ofMebiBytes(32))
              .withDescription(
                  "Maximum size of the documents of one subtask that are not stored yet."));

  static final Key<Duration> FLUSH_INTERVAL =
      Key.positive(
          key("sink.flush-interval")
              .durationType()
              .defaultValue(Duration.ofMillis(100))
              .withDescription("Maximum time that a record waits for its bulk to fill."));

  static final Key<Duration> RETRY_INITIAL_BACKOFF =
      Key.positive(
          key("sink.retry.initial-backoff")
              .durationType()
              .defaultValue(Duration.ofMillis(50))
              .withDescription(
                  "Wait before the first retry of a write that failed for a transient reason."
                      + " It doubles with each retry."));

  static final Key<Duration> RETRY_MAX_BACKOFF =
      Key.positive(
          key("sink.retry.max-backoff")
              .durationType()
              .defaultValue(Duration.ofSeconds(10))
              .withDescription("Maximum wait between two retries."));

  static final Key<Duration> RETRY_TIMEOUT =
      Key.positive(
          key("sink.retry.timeout")
              .durationType()
              .defaultValue(Duration.ofMinutes(5))
              .withDescription(
                  "Time limit of all retries of a write. After that the job fails and restarts"
                      + " from its last checkpoint."));

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
