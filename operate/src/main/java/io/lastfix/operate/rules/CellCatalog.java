package io.lastfix.operate.rules;

import io.lastfix.catalogs.CellEntryException;
import io.lastfix.catalogs.CellEntryJson;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.kafka.topics.KafkaAdmin;
import io.lastfix.kit.kafka.ConsumerLag.Range;
import io.lastfix.kit.kafka.TopicReader;
import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.CellVersion;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Revision;
import io.lastfix.model.Tower;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;

/** The cells of the catalogue. Of a cell's messages, the last one counts. */
final class CellCatalog {
  /** So that a command takes seconds. A larger catalogue is not read. */
  private static final long MAX_MESSAGES = 200_000;

  /** By the key of the join, since a record may not name the area. */
  private final Map<Long, List<CellEntry>> entries = new HashMap<>();

  /**
   * Reads the topic.
   *
   * @throws IOException if it is too large, or cannot be read: the user may lack the right
   */
  static CellCatalog read(LocationJobConfig config) throws IOException {
    CellCatalog catalog = new CellCatalog();
    String topic = config.kafka().cellsTopic();
    Map<TopicPartition, Range> ranges = KafkaAdmin.ranges(config.kafka(), topic);
    if (ranges.values().stream().mapToLong(Range::offsets).sum() > MAX_MESSAGES) {
      throw new IOException(
          "the topic %s has more than %,d messages".formatted(topic, MAX_MESSAGES));
    }
    new TopicReader(config.kafka()::clientProperties)
        .read(
            ranges,
            message -> {
              CellEntry entry;
              try {
                entry = CellEntryJson.read(message.key(), message.value(), Revision.OLDEST);
              } catch (CellEntryException e) {
                return;
              }
              catalog.put(entry);
            });
    return catalog;
  }

  /** Replaces the cell's entry. */
  void put(CellEntry entry) {
    List<CellEntry> ofKey =
        entries.computeIfAbsent(entry.cell().lookupKey(), key -> new ArrayList<>(1));
    ofKey.removeIf(other -> other.cell().equals(entry.cell()));
    ofKey.add(entry);
  }

  /** Returns all entries, also those that remove a cell. */
  Stream<CellEntry> entries() {
    return entries.values().stream().flatMap(List::stream);
  }

  /**
   * Returns a record with the range that its cell had then. It stays unknown if the catalogue has
   * no such cell at the record's position any more.
   */
  LocatedRecord withRange(LocatedRecord record) {
    CellId cell = record.cell();
    if (cell == null || record.hasOwnPosition()) {
      return record;
    }
    for (CellEntry entry : entries.getOrDefault(cell.lookupKey(), List.of())) {
      for (Tower tower : entry.towers()) {
        CellVersion version = tower.versionAt(record.timestampMillis());
        if (version.position().equals(record.cellPosition())
            && (!cell.hasArea() || cell.equals(entry.cell()))) {
          return new LocatedRecord(
              record.user(),
              record.place(),
              record.timestampMillis(),
              record.cellPosition(),
              record.isFar(),
              version.rangeMeters());
        }
      }
    }
    return record;
  }
}
