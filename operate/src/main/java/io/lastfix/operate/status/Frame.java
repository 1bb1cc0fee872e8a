package io.lastfix.operate.status;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.console.health.PartState;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that was read for a frame.
 *
 * @param at when, in whole seconds
 * @param job the location job's name
 * @param group its consumer group
 * @param topicPrefix of the location topics
 * @param parts by name, in their order; what a part has is in a type of its own
 */
public record Frame(
    Instant at, String job, String group, String topicPrefix, Map<String, PartState> parts) {
  /** The parts by name. */
  public static final String LEDGER = "ledger";

  public static final String FLINK = "flink";
  public static final String LAG = "lag";
  public static final String UNREAD = "unread";
  public static final String CELLS = "cells";
  public static final String DEVICES = "devices";

  /** The part of the local stack's processes. */
  public static final String PROCESSES = "processes";

  private static final PartState ABSENT = PartState.unavailable("-");

  /**
   * The location topics with records that no running job reads.
   *
   * @param topics by name, an upper bound of the records
   */
  public record Unread(Map<String, Long> topics) {}

  /**
   * The cells with the most records.
   *
   * @param from the begin of the range; null, as the others: nothing is counted by cell
   */
  public record BusiestCells(
      @Nullable Instant from, @Nullable Instant to, @Nullable List<Cell> busiest) {
    /** One of them. */
    public record Cell(String cell, long records) {}
  }

  /** The number of last known locations. */
  public record Stored(long located) {}

  /** The local stack's processes that have ended. */
  public record Processes(List<String> ended) {}

  /** Copies the parts. */
  public Frame {
    parts = Collections.unmodifiableMap(new LinkedHashMap<>(parts));
  }

  /** The servers that not every local stack has, by name. */
  public Map<String, PartState> localServers() {
    Map<String, PartState> servers = new LinkedHashMap<>(parts);
    servers.keySet().removeAll(Set.of(LEDGER, FLINK, LAG, UNREAD, CELLS, DEVICES, PROCESSES));
    return servers;
  }

  /** Returns the state of a part; of an unknown one, that it is absent. */
  public PartState part(String name) {
    return parts.getOrDefault(name, ABSENT);
  }

  /** What was read of a part; empty if it was not. */
  public <T> Optional<T> read(String name, Class<T> type) {
    return part(name).as(type);
  }

  /** The frame in one line. */
  public ObjectNode toJson() {
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("at", at.toString())
            .put("job", job)
            .put("group", group)
            .put("topicPrefix", topicPrefix);
    parts.forEach((name, part) -> node.set(name, part.toJson()));
    return node;
  }
}
