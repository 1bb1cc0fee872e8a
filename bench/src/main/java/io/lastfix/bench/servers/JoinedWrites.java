package io.lastfix.bench.servers;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocatedRecordOrder;
import io.lastfix.sink.BulkOptions;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Joins the writes of Last Known Location as the job's sink does under full load. Each user belongs
 * to one lane, which stands for one subtask of the sink. A record joins the write of its user that
 * waits in the lane; one at a cell never joins one with a position of its own, since Last Known
 * Location keeps the newest of both. A lane holds as many writes as a sink may, less those that a
 * sink has in flight; the oldest are sent first.
 *
 * <p>Thread-safe.
 */
final class JoinedWrites {
  private final int capacity;
  private final int bulkSize;

  /** Writes by user and kind, the longest-waiting first. */
  private final List<Map<Key, LocatedRecord>> lanes = new ArrayList<>();

  private record Key(String user, boolean isFix) {}

  /**
   * @param subtasks of the sink
   * @param options of the sink
   */
  JoinedWrites(int subtasks, BulkOptions options) {
    bulkSize = options.maxRecordsPerBulk();
    capacity =
        Math.max(bulkSize, options.maxBufferedRecords() - bulkSize * options.maxBulksInFlight());
    for (int i = 0; i < subtasks; i++) {
      lanes.add(new LinkedHashMap<>());
    }
  }

  /** Adds a record, and returns the bulk to write next; empty: none. */
  List<LocatedRecord> add(LocatedRecord record) {
    Map<Key, LocatedRecord> lane = lanes.get(Math.floorMod(record.user().hashCode(), lanes.size()));
    synchronized (lane) {
      lane.merge(new Key(record.user(), record.hasOwnPosition()), record, JoinedWrites::newer);
      return lane.size() < capacity ? List.of() : nextBulk(lane);
    }
  }

  /** Removes the waiting writes and returns them in bulks. */
  List<List<LocatedRecord>> rest() {
    List<List<LocatedRecord>> bulks = new ArrayList<>();
    for (Map<Key, LocatedRecord> lane : lanes) {
      synchronized (lane) {
        while (!lane.isEmpty()) {
          bulks.add(nextBulk(lane));
        }
      }
    }
    return bulks;
  }

  private List<LocatedRecord> nextBulk(Map<Key, LocatedRecord> lane) {
    List<LocatedRecord> bulk = new ArrayList<>(bulkSize);
    Iterator<LocatedRecord> oldestFirst = lane.values().iterator();
    while (oldestFirst.hasNext() && bulk.size() < bulkSize) {
      bulk.add(oldestFirst.next());
      oldestFirst.remove();
    }
    return bulk;
  }

  private static LocatedRecord newer(LocatedRecord one, LocatedRecord other) {
    return LocatedRecordOrder.INSTANCE.compare(other, one) > 0 ? other : one;
  }
}
