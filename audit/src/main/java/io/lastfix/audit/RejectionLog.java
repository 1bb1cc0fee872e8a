package io.lastfix.audit;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * The rejections in the rejected topic, each once. The topic is written at least once, and (topic,
 * partition, offset, reason, detail) identify a rejection.
 */
final class RejectionLog {
  private final ScratchDatabase.Insert insert;
  private final PreparedStatement next;
  private final PreparedStatement select;

  RejectionLog(ScratchDatabase database) throws SQLException {
    database.execute(
        "CREATE TABLE rejection (topic TEXT, part INTEGER, offset INTEGER, reason TEXT, detail TEXT,"
            + " records INTEGER, PRIMARY KEY (topic, part, offset, reason, detail)) WITHOUT ROWID");
    insert = database.insert("INSERT OR IGNORE INTO rejection VALUES (?, ?, ?, ?, ?, ?)");
    next =
        database.prepare(
            "SELECT min(offset) FROM rejection WHERE topic = ? AND part = ? AND offset >= ?");
    select =
        database.prepare(
            "SELECT reason, detail, records FROM rejection"
                + " WHERE topic = ? AND part = ? AND offset = ?");
  }

  void add(RejectedHeaders headers) throws SQLException {
    insert.row(
        headers.topic(),
        headers.partition(),
        headers.offset(),
        headers.reason(),
        headers.detail(),
        headers.records());
  }

  /**
   * The first rejected message of a partition from that offset on; the greatest long if there is
   * none.
   */
  long nextOffset(String topic, int partition, long from) throws SQLException {
    next.setString(1, topic);
    next.setInt(2, partition);
    next.setLong(3, from);
    try (ResultSet result = next.executeQuery()) {
      long offset = result.getLong(1);
      return result.wasNull() ? Long.MAX_VALUE : offset;
    }
  }

  /** The rejections of one message. */
  List<RecordedRejection> of(String topic, int partition, long offset) throws SQLException {
    select.setString(1, topic);
    select.setInt(2, partition);
    select.setLong(3, offset);
    List<RecordedRejection> found = new ArrayList<>();
    try (ResultSet result = select.executeQuery()) {
      while (result.next()) {
        found.add(
            new RecordedRejection(result.getString(1), result.getString(2), result.getInt(3)));
      }
    }
    return found;
  }
}
