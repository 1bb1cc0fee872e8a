package io.lastfix.jobs.config;

import java.util.List;

/**
 * How the job reads Kafka.
 *
 * @param start where a job without a savepoint starts to read
 * @param onGap what the job does if Kafka has deleted records before the job read them
 * @param abandonedTopics topics without a profile whose unread records are abandoned
 * @param catalogTimeout how long to wait for the catalogue at each start, and what the job does
 *     then
 */
public record SourceOptions(
    SourceStart start, OnGap onGap, List<String> abandonedTopics, CatalogTimeout catalogTimeout) {
  public SourceOptions {
    abandonedTopics = List.copyOf(abandonedTopics);
  }
}
