package io.lastfix.audit;

import io.lastfix.audit.Discrepancy.Kind;
import io.lastfix.audit.stored.HistoryLayout;
import io.lastfix.audit.tree.FoundRecord;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/**
 * Messages with rejected records, if the rejections do not say which. No single record of them must
 * be in History, but a minimum number must.
 */
final class PartialMessages {
  private final ScratchDatabase database;
  private final HistoryLayout layout;
  private final ScratchDatabase.Insert messages;
  private final ScratchDatabase.Insert records;
  private final ScratchDatabase.Insert stored;
  private long added;

  PartialMessages(ScratchDatabase database, HistoryLayout layout) throws SQLException {
    this.database = database;
    this.layout = layout;
    database.execute("CREATE TABLE partial_message (number, place, minimum, total)");
    database.execute("CREATE TABLE partial_record (message, period, id)");
    database.execute("CREATE TABLE partial_stored (period, id)");
    messages = database.insert("INSERT INTO partial_message VALUES (?, ?, ?, ?)");
    records = database.insert("INSERT INTO partial_record VALUES (?, ?, ?)");
    stored = database.insert("INSERT INTO partial_stored VALUES (?, ?)");
  }

  /**
   * Adds a message.
   *
   * @param place its topic, partition and offset
   * @param minimum how many of its records must be in History
   * @param ofMessage all records that may be there, under their stored users
   */
  void add(String place, long minimum, List<FoundRecord> ofMessage) throws SQLException {
    messages.row(++added, place, minimum, ofMessage.size());
    for (FoundRecord record : ofMessage) {
      records.row(added, layout.period(record.timestampMillis()), layout.id(record));
    }
  }

  /** Notes that History holds a record of which a sighting was rejected. */
  void stored(long period, byte[] id) throws SQLException {
    stored.row(period, id);
  }

  /**
   * Reports the shortfall of each message, after History was compared. Until then, those records
   * count as rejected.
   */
  void report(Findings findings) throws SQLException {
    if (added == 0) {
      return;
    }
    database.flush();
    database.execute("CREATE INDEX partial_stored_by_id ON partial_stored (period, id)");
    database.execute("CREATE INDEX partial_record_by_message ON partial_record (message)");
    try (PreparedStatement select =
            database.prepare(
                "SELECT place, minimum, total, (SELECT count(*) FROM partial_record r"
                    + " WHERE r.message = m.number AND EXISTS (SELECT 1 FROM partial_stored s"
                    + " WHERE s.period = r.period AND s.id = r.id))"
                    + " FROM partial_message m ORDER BY number");
        ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        long shortfall = rows.getLong(2) - rows.getLong(4);
        if (shortfall > 0) {
          findings.rejectedReadableNow -= shortfall;
          findings.add(
              Discrepancy.at(
                  Kind.MISSING,
                  rows.getString(1),
                  "%,d of its %,d records are in History, at least %,d must be: the others were not rejected"
                      .formatted(rows.getLong(4), rows.getLong(3), rows.getLong(2))),
              shortfall);
        }
      }
    }
  }
}
