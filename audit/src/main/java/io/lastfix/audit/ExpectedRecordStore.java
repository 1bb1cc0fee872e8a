package io.lastfix.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.audit.stored.HistoryLayout;
import io.lastfix.audit.tree.FoundRecord;
import io.lastfix.audit.tree.OwnPosition;
import io.lastfix.model.Radio;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.bson.BsonBinary;
import org.jspecify.annotations.Nullable;

/**
 * Every record that was found in the topics. Records are appended and sorted once. That costs less
 * disk access than an index, because millions of ids arrive in random order.
 */
final class ExpectedRecordStore implements PlaceJudge.CellBacklog {
  /** The sightings kept of one record; they suffice to judge it. */
  private static final int KEPT_OF_ONE_RECORD = 1_000;

  private static final String COLUMNS =
      "period, id, user, ts, mcc, mnc, area, cid, radio, published, demand,"
          + " source, lon, lat, accuracy, altitude, shape";

  /** The column of the source of a record's own position; the rest of it follows. */
  private static final int SOURCE = 12;

  private final ScratchDatabase database;
  private final HistoryLayout layout;
  private final long maxWaiting;
  private final ScratchDatabase.Insert insert;
  private final PreparedStatement selectBacklog;
  private boolean isBacklogKnown;

  /**
   * An empty store.
   *
   * @param database also holds the entries of a {@link Catalog}
   * @param maxWaiting the number of records that fit into the join's wait in any distribution
   */
  ExpectedRecordStore(ScratchDatabase database, HistoryLayout layout, long maxWaiting)
      throws SQLException {
    this.database = database;
    this.layout = layout;
    this.maxWaiting = maxWaiting;
    database.execute("CREATE TABLE sighting (" + COLUMNS + ")");
    database.execute("CREATE TABLE backlog (published INTEGER)");
    database.execute("CREATE INDEX backlog_by_time ON backlog (published)");
    insert =
        database.insert(
            "INSERT INTO sighting VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    selectBacklog =
        database.prepare(
            "SELECT count(*) FROM"
                + " (SELECT 1 FROM backlog WHERE published BETWEEN ? AND ? LIMIT ?)");
  }

  void add(ExpectedRecord sighting) throws SQLException {
    FoundRecord record = sighting.record();
    Radio radio = record.radio();
    OwnPosition own = record.own();
    insert.row(
        layout.period(record.timestampMillis()),
        layout.id(record),
        record.user().getBytes(UTF_8),
        record.timestampMillis(),
        record.mcc(),
        record.mnc(),
        record.area(),
        record.cid(),
        radio == null ? 0 : radio.code(),
        sighting.publishedMillis(),
        sighting.demand().code(),
        own == null ? null : own.source(),
        own == null ? null : own.lon(),
        own == null ? null : own.lat(),
        own == null ? null : own.accuracyMeters(),
        own == null ? null : own.altitudeMeters(),
        own == null ? null : own.shape());
  }

  /** All records by period and {@code _id}, the order in which History's collections are read. */
  Groups sorted() throws SQLException {
    database.flush();
    return new Groups(
        database
            .prepare("SELECT " + COLUMNS + " FROM sighting ORDER BY period, id")
            .executeQuery());
  }

  /**
   * The groups named by (period, id) in a table; a record that is in no message gives a group
   * without sightings.
   *
   * @param suspects the table's name
   */
  Groups sortedFor(String suspects) throws SQLException {
    database.execute("DROP TABLE IF EXISTS evidence");
    database.execute(
        "CREATE TABLE evidence AS SELECT * FROM sighting WHERE id IN (SELECT id FROM "
            + suspects
            + ")");
    database.execute("CREATE INDEX evidence_by_id ON evidence (period, id)");
    return new Groups(
        database
            .prepare(
                "SELECT s.period, s.id, user, ts, mcc, mnc, area, cid, radio, published, demand,"
                    + " source, lon, lat, accuracy, altitude, shape"
                    + " FROM (SELECT DISTINCT period, id FROM "
                    + suspects
                    + ") s LEFT JOIN evidence e ON e.period = s.period AND e.id = s.id"
                    + " ORDER BY s.period, s.id")
            .executeQuery());
  }

  /**
   * Copies its rows at the first call, because most audits never call it. A record may have waited
   * if it came before the first entry of its cell in its area, and states no position of its own.
   */
  @Override
  public boolean mayHaveFormed(long fromMillis, long toMillis) throws SQLException {
    if (!isBacklogKnown) {
      database.execute(
          "INSERT INTO backlog SELECT published FROM sighting s WHERE s.source IS NULL AND NOT EXISTS"
              + " (SELECT 1 FROM entry e WHERE e.mcc = s.mcc AND e.mnc = s.mnc AND e.cid = s.cid"
              + " AND (s.area = "
              + FoundRecord.NO_AREA
              + " OR e.area = s.area) AND e.published <= s.published)");
      isBacklogKnown = true;
    }
    selectBacklog.setLong(1, fromMillis);
    selectBacklog.setLong(2, toMillis);
    selectBacklog.setLong(3, maxWaiting + 1);
    try (ResultSet row = selectBacklog.executeQuery()) {
      return row.next() && row.getLong(1) > maxWaiting;
    }
  }

  /**
   * All sightings of one record, which is one document of History.
   *
   * @param sightings at least one, except for a suspect that is in no message
   * @param rejected how many of them were rejected
   * @param notDue how many of them are not committed yet
   * @param total how many there are, without those that are {@link Demand#LATER} or {@link
   *     Demand#EXPIRED}; the list keeps the first 1,000 of all
   */
  record Group(
      long period,
      BsonBinary id,
      List<ExpectedRecord> sightings,
      long rejected,
      long notDue,
      long total) {
    /** Returns whether History must hold it. */
    boolean isRequired() {
      return total > rejected + notDue;
    }

    int compareTo(long otherPeriod, BsonBinary otherId) {
      int byPeriod = Long.compare(period, otherPeriod);
      return byPeriod == 0 ? Arrays.compareUnsigned(id.getData(), otherId.getData()) : byPeriod;
    }
  }

  /** Iterates the groups, once. */
  static final class Groups implements AutoCloseable {
    private final ResultSet rows;
    private boolean hasRow;

    private Groups(ResultSet rows) throws SQLException {
      this.rows = rows;
      this.hasRow = rows.next();
    }

    /** The next one; null after the last. */
    @Nullable Group next() throws SQLException {
      if (!hasRow) {
        return null;
      }
      long period = rows.getLong(1);
      byte[] id = rows.getBytes(2);
      List<ExpectedRecord> sightings = new ArrayList<>(1);
      long rejected = 0;
      long notDue = 0;
      long total = 0;
      do {
        byte[] user = rows.getBytes(3);
        if (user != null) {
          ExpectedRecord sighting = sighting(user);
          rejected += sighting.demand() == Demand.REJECTED ? 1 : 0;
          notDue += sighting.demand() == Demand.NOT_DUE ? 1 : 0;
          total += isCounted(sighting.demand()) ? 1 : 0;
          if (sightings.size() < KEPT_OF_ONE_RECORD) {
            sightings.add(sighting);
          }
        }
        hasRow = rows.next();
      } while (hasRow && rows.getLong(1) == period && Arrays.equals(rows.getBytes(2), id));
      return new Group(period, new BsonBinary(id), sightings, rejected, notDue, total);
    }

    private static boolean isCounted(Demand demand) {
      return demand != Demand.LATER && demand != Demand.EXPIRED;
    }

    private ExpectedRecord sighting(byte[] user) throws SQLException {
      int radio = rows.getInt(9);
      FoundRecord record =
          new FoundRecord(
              new String(user, UTF_8),
              rows.getLong(5),
              rows.getLong(6),
              rows.getLong(7),
              rows.getLong(8),
              radio == 0 ? null : Radio.ofCode(radio),
              rows.getLong(4),
              own());
      return new ExpectedRecord(record, rows.getLong(10), Demand.ofCode(rows.getInt(11)));
    }

    private @Nullable OwnPosition own() throws SQLException {
      String source = rows.getString(SOURCE);
      return source == null
          ? null
          : new OwnPosition(
              rows.getDouble(SOURCE + 1),
              rows.getDouble(SOURCE + 2),
              source,
              (Double) rows.getObject(SOURCE + 3),
              (Double) rows.getObject(SOURCE + 4),
              rows.getString(SOURCE + 5));
    }

    @Override
    public void close() throws SQLException {
      Objects.requireNonNull(rows.getStatement()).close();
    }
  }
}
