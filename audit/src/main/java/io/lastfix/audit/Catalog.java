package io.lastfix.audit;

import java.io.IOException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The remaining entries of the catalogue's topic, by (mcc, mnc, cid). */
final class Catalog {
  private static final int CACHED_CELLS = 10_000;
  private static final long MINUTE_MILLIS = 60_000;

  private final ScratchDatabase database;
  private final ScratchDatabase.Insert insert;
  private final PreparedStatement select;
  private final Map<Key, List<List<CatalogEntry>>> cache =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, List<List<CatalogEntry>>> eldest) {
          return size() > CACHED_CELLS;
        }
      };
  private final Map<Long, Long> entriesByMinute = new HashMap<>();
  private @Nullable PreparedStatement selectEntries;
  private boolean isIncomplete;

  /** The look-up key: a record may lack the area. */
  private record Key(long mcc, long mnc, long cid) {}

  Catalog(ScratchDatabase database) throws SQLException {
    this.database = database;
    database.execute(
        "CREATE TABLE entry (mcc INTEGER, mnc INTEGER, cid INTEGER, area INTEGER, part INTEGER,"
            + " offset INTEGER, revision INTEGER, published INTEGER, value BLOB,"
            + " PRIMARY KEY (mcc, mnc, cid, area, part, offset)) WITHOUT ROWID");
    insert = database.insert("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
    select =
        database.prepare(
            "SELECT area, published, value FROM entry WHERE mcc = ? AND mnc = ? AND cid = ?"
                + " ORDER BY area, revision, offset, part");
  }

  /**
   * Adds a message of the topic.
   *
   * @throws IOException or IllegalArgumentException if it is not a catalogue entry
   */
  void add(
      int partition,
      long offset,
      long publishedMillis,
      @Nullable String key,
      byte @Nullable [] value)
      throws IOException, SQLException {
    long[] cell = CatalogEntry.cell(key, value);
    // Read only as a check: the stored form is smaller.
    CatalogEntry.towers(value);
    long revision = CatalogEntry.revision(value, publishedMillis);
    insert.row(
        cell[0], cell[1], cell[3], cell[2], partition, offset, revision, publishedMillis, value);
  }

  /** Makes the added entries visible to {@link #entries}. */
  void refresh() throws SQLException {
    database.flush();
    cache.clear();
    entriesByMinute.clear();
  }

  /** Notes that former entries are gone by compaction or deletion. */
  void lacksEntries() {
    isIncomplete = true;
  }

  /** Returns whether {@link #lacksEntries} was called. */
  boolean isIncomplete() {
    return isIncomplete;
  }

  /**
   * The entries of a cell, one list for each area, in the order of their revisions; the last one
   * counts.
   */
  List<List<CatalogEntry>> entries(long mcc, long mnc, long cid) throws SQLException {
    Key key = new Key(mcc, mnc, cid);
    List<List<CatalogEntry>> known = cache.get(key);
    if (known == null) {
      known = load(key);
      cache.put(key, known);
    }
    return known;
  }

  /**
   * The number of entries that were published in the hour before, to the minute. Makes its index at
   * the first call, because most audits never call it.
   */
  long entriesInTheHourBefore(long publishedMillis) throws SQLException {
    long minute = Math.floorDiv(publishedMillis, MINUTE_MILLIS);
    Long known = entriesByMinute.get(minute);
    if (known == null) {
      known = countEntries((minute - 60) * MINUTE_MILLIS, (minute + 1) * MINUTE_MILLIS);
      entriesByMinute.put(minute, known);
    }
    return known;
  }

  private long countEntries(long fromMillis, long beforeMillis) throws SQLException {
    if (selectEntries == null) {
      database.execute("CREATE INDEX entry_by_time ON entry (published)");
      selectEntries =
          database.prepare("SELECT count(*) FROM entry WHERE published >= ? AND published < ?");
    }
    selectEntries.setLong(1, fromMillis);
    selectEntries.setLong(2, beforeMillis);
    try (ResultSet row = selectEntries.executeQuery()) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  private List<List<CatalogEntry>> load(Key key) throws SQLException {
    select.setLong(1, key.mcc());
    select.setLong(2, key.mnc());
    select.setLong(3, key.cid());
    Map<Long, List<CatalogEntry>> byArea = new TreeMap<>();
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        long area = rows.getLong(1);
        byArea
            .computeIfAbsent(area, absent -> new ArrayList<>())
            .add(new CatalogEntry(area, rows.getLong(2), CatalogEntry.towers(rows.getBytes(3))));
      }
    } catch (IOException e) {
      throw new IllegalStateException("An entry that was read once cannot be read again", e);
    }
    return List.copyOf(byArea.values());
  }
}
