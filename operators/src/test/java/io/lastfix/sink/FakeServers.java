package io.lastfix.sink;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocatedRecordOrder;
import io.lastfix.sink.BulkServer.BulkException;
import io.lastfix.sink.BulkServer.BulkResult;
import io.lastfix.sink.BulkServer.BulkResult.Kind;
import io.lastfix.sink.BulkServer.BulkResult.WriteFailure;
import io.lastfix.store.history.HistoryId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.bson.BsonBinary;
import org.jspecify.annotations.Nullable;

/** Servers that store like MongoDB, and fail as scripted. */
public final class FakeServers {
  private FakeServers() {}

  /** The fate of the next bulk. */
  sealed interface Act {
    /** The bulk succeeds. */
    record Work() implements Act {}

    /** Nothing is stored, and the client receives the error. */
    record RefuseBulk() implements Act {}

    /** The bulk is stored, and the connection breaks before the client receives the answer. */
    record StoreAndBreak() implements Act {}

    /** The first half is stored, and the connection breaks. */
    record StoreHalfAndBreak() implements Act {}

    /** From {@code first} on, every second write fails with that kind; the others succeed. */
    record FailSome(int first, Kind kind) implements Act {}

    /** Fails permanently with that message. */
    record Fail(String words) implements Act {}
  }

  /** Keeps all bulks it received, and follows the script. */
  abstract static class ScriptedServer implements BulkServer<LocatedRecord> {
    private final Deque<Act> script = new ArrayDeque<>();
    private final List<List<LocatedRecord>> bulks = new ArrayList<>();
    private final List<String> collections = new ArrayList<>();
    private boolean isClosed;

    /** Scripts the fate of the next bulks; later bulks succeed. */
    void then(Act... acts) {
      script.addAll(Arrays.asList(acts));
    }

    void then(List<Act> acts) {
      script.addAll(acts);
    }

    /** Returns the records of each bulk, failed ones too, in order of arrival. */
    List<List<LocatedRecord>> bulks() {
      return bulks;
    }

    List<Integer> bulkSizes() {
      return bulks.stream().map(List::size).toList();
    }

    List<String> collections() {
      return collections;
    }

    boolean isClosed() {
      return isClosed;
    }

    @Override
    public BulkResult write(String collection, List<LocatedRecord> records) throws BulkException {
      bulks.add(List.copyOf(records));
      collections.add(collection);
      Act act = script.poll();
      if (act instanceof Act.RefuseBulk) {
        throw BulkException.retryable("not primary", null);
      }
      if (act instanceof Act.StoreAndBreak) {
        store(collection, records);
        throw BulkException.retryable("connection lost", null);
      }
      if (act instanceof Act.StoreHalfAndBreak) {
        store(collection, records.subList(0, records.size() / 2));
        throw BulkException.retryable("connection lost", null);
      }
      if (act instanceof Act.Fail fail) {
        throw BulkException.fatal(fail.words(), null);
      }
      if (act instanceof Act.FailSome some) {
        return storeSome(collection, records, some);
      }
      return store(collection, records);
    }

    private BulkResult storeSome(String collection, List<LocatedRecord> records, Act.FailSome act) {
      List<LocatedRecord> good = new ArrayList<>();
      List<WriteFailure> failures = new ArrayList<>();
      for (int i = 0; i < records.size(); i++) {
        if (i >= act.first() && (i - act.first()) % 2 == 0) {
          failures.add(new WriteFailure(i, act.kind(), 112, "WriteConflict"));
        } else {
          good.add(records.get(i));
        }
      }
      BulkResult stored = store(collection, good);
      return new BulkResult(
          stored.inserted(), stored.updated(), stored.stale(), stored.duplicates(), failures);
    }

    abstract BulkResult store(String collection, List<LocatedRecord> records);

    @Override
    public void close() {
      isClosed = true;
    }
  }

  /** A record's identity. */
  record Identity(BsonBinary id) {
    static Identity of(LocatedRecord record) {
      return new Identity(HistoryId.of(record.user(), record.timestampMillis(), record.place()));
    }
  }

  /** Inserts; the first record of an identity stays. */
  static final class HistoryServer extends ScriptedServer {
    private final Map<String, Map<Identity, LocatedRecord>> documents = new TreeMap<>();

    @Override
    BulkResult store(String collection, List<LocatedRecord> records) {
      int duplicates = 0;
      var stored = documents.computeIfAbsent(collection, any -> new HashMap<>());
      for (LocatedRecord record : records) {
        if (stored.putIfAbsent(Identity.of(record), record) != null) {
          duplicates++;
        }
      }
      return new BulkResult(records.size() - duplicates, 0, 0, duplicates, List.of());
    }

    /** By collection. */
    Map<String, Map<Identity, LocatedRecord>> documents() {
      return documents;
    }
  }

  /** Like {@code $max}: the newest record of a user stays, and the newest with an own position. */
  static final class LastKnownLocationServer extends ScriptedServer {
    private final Map<String, LocatedRecord> documents = new HashMap<>();
    private final Map<String, LocatedRecord> fixes = new HashMap<>();

    @Override
    BulkResult store(String collection, List<LocatedRecord> records) {
      int inserted = 0;
      int updated = 0;
      for (LocatedRecord record : records) {
        boolean isFirst = !documents.containsKey(record.user());
        boolean isNewest = putIfNewer(documents, record);
        boolean isNewestFix = record.fix() != null && putIfNewer(fixes, record);
        if (isFirst) {
          inserted++;
        } else if (isNewest || isNewestFix) {
          updated++;
        }
      }
      return new BulkResult(inserted, updated, records.size() - inserted - updated, 0, List.of());
    }

    private static boolean putIfNewer(Map<String, LocatedRecord> byUser, LocatedRecord record) {
      @Nullable LocatedRecord stored = byUser.get(record.user());
      if (stored != null && LocatedRecordOrder.INSTANCE.compare(record, stored) <= 0) {
        return false;
      }
      byUser.put(record.user(), record);
      return true;
    }

    /** The {@code last} of each user. */
    Map<String, LocatedRecord> documents() {
      return documents;
    }

    /** The {@code fix} of each user who has one. */
    Map<String, LocatedRecord> fixes() {
      return fixes;
    }
  }
}
