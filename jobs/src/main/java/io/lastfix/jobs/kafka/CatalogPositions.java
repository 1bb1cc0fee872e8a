package io.lastfix.jobs.kafka;

import java.util.Map;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * How far one reader of the catalogue is, as it tells its enumerator.
 *
 * @param offsets by partition, that of the next entry
 * @param isInState whether a completed checkpoint holds all entries before them; otherwise they
 *     have only been read
 */
record CatalogPositions(Map<Integer, Long> offsets, boolean isInState) implements SourceEvent {
  private static final long serialVersionUID = 1L;

  CatalogPositions {
    offsets = Map.copyOf(offsets);
  }
}
