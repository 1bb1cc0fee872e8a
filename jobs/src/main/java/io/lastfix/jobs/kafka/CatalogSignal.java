package io.lastfix.jobs.kafka;

import org.apache.flink.api.connector.source.SourceEvent;

/** What a reader of location records and its enumerator tell each other about the catalogue. */
enum CatalogSignal implements SourceEvent {
  /** From the reader: it has just started, and gives out nothing until it is answered. */
  AWAITED,
  /** From the enumerator: the reader may begin. */
  LOADED
}
