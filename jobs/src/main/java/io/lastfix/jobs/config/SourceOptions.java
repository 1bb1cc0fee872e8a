package io.lastfix.jobs.config;

import java.util.List;

/**
 * How the job reads Kafka.
 *
 * @param start where to begin without a savepoint
 * @param onGap what to do if Kafka has deleted records before they were read
 * @param abandonedTopics without a profile, whose unread records may stay unread
 * @param catalogTimeout how long to wait for the catalogue at each start, and what comes after
 */
public record SourceOptions(
    SourceStart start, OnGap onGap, List<String> abandonedTopics, CatalogTimeout catalogTimeout) {
  public SourceOptions {
    abandonedTopics = List.copyOf(abandonedTopics);
  }
}
