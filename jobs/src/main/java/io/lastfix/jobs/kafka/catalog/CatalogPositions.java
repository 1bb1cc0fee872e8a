package io.lastfix.jobs.kafka.catalog;

import java.util.Map;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * The position of one reader of the catalogue, as it reports it to its enumerator.
 *
 * @param offsets of the next entry, by partition
 * @param isInState whether a completed checkpoint holds all entries before them; otherwise they
 *     have only been read
 */
record CatalogPositions(Map<Integer, Long> offsets, boolean isInState) implements SourceEvent {}
