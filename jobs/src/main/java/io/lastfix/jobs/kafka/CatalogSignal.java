package io.lastfix.jobs.kafka;

import org.apache.flink.api.connector.source.SourceEvent;

/** The events about the catalogue between a reader of location records and its enumerator. */
enum CatalogSignal implements SourceEvent {
  /** From the reader: it has started, and emits nothing until the answer. */
  AWAITED,
  /** From the enumerator: the reader may emit records. */
  LOADED
}
