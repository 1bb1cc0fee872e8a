package io.lastfix.workload;

import io.lastfix.model.CellId;
import io.lastfix.model.LocationRecord;
import java.util.Iterator;
import java.util.Set;

/**
 * The content of messages and its expected outcome: records = distinct + duplicates + rejected.
 *
 * @param messages Kafka messages
 * @param records records in them, good and bad
 * @param distinct records that History must hold
 * @param duplicates records that were sent before
 * @param rejected records that a parser must reject
 * @param unlocated distinct records at a cell only, which is unknown
 */
public record SampleCounts(
    long messages, long records, long distinct, long duplicates, long rejected, long unlocated) {

  /** Counts messages in which records are repeated only by sending a whole message again. */
  static SampleCounts of(Iterator<OutgoingMessage> outgoing, Set<CellId> knownCells) {
    long messages = 0;
    long distinct = 0;
    long duplicates = 0;
    long rejected = 0;
    long unlocated = 0;
    while (outgoing.hasNext()) {
      OutgoingMessage message = outgoing.next();
      messages++;
      rejected += message.rejected();
      if (message.resent()) {
        duplicates += message.records().size();
        continue;
      }
      distinct += message.records().size();
      for (LocationRecord record : message.records()) {
        unlocated += record.fix() != null || knownCells.contains(record.cell()) ? 0 : 1;
      }
    }
    return new SampleCounts(
        messages, distinct + duplicates + rejected, distinct, duplicates, rejected, unlocated);
  }
}
