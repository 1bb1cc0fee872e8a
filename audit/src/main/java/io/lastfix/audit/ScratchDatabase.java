package io.lastfix.audit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A database on disk for data that does not fit into memory: SQLite, with a cache of 64 MiB outside
 * of Java's heap. SQLite deletes its files as soon as they are open, so that the system frees them
 * when the process ends, however it ends. Used by one thread.
 */
public final class ScratchDatabase implements AutoCloseable {
  private static final int CACHE_KIB = 64 * 1024;
  private static final int ROWS_PER_BATCH = 1_000;

  private final Connection connection;
  private final List<Insert> inserts = new ArrayList<>();

  /** Creates it in the folder of {@code java.io.tmpdir}. */
  public ScratchDatabase() throws SQLException {
    // Without a name it is a temporary database, on disk.
    connection = DriverManager.getConnection("jdbc:sqlite:");
    try {
      for (String pragma :
          List.of(
              "journal_mode = OFF",
              "synchronous = OFF",
              "temp_store = FILE",
              "temp_store_directory = '"
                  + System.getProperty("java.io.tmpdir").replace("'", "''")
                  + "'",
              "cache_size = -" + CACHE_KIB)) {
        execute("PRAGMA " + pragma);
      }
      connection.setAutoCommit(false);
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** Inserts the waiting rows, and executes a statement. */
  public void execute(String sql) throws SQLException {
    flush();
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Prepares a query. It sees inserted rows after a {@link #flush}. */
  public PreparedStatement prepare(String sql) throws SQLException {
    return connection.prepareStatement(sql);
  }

  /** Prepares a statement that runs once for each row, in batches. */
  Insert insert(String sql) throws SQLException {
    Insert insert = new Insert(connection.prepareStatement(sql));
    inserts.add(insert);
    return insert;
  }

  /** Makes all inserted rows visible to queries. */
  void flush() throws SQLException {
    for (Insert insert : inserts) {
      insert.flush();
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  /** Inserts rows in batches. */
  static final class Insert {
    private final PreparedStatement statement;
    private int waiting;

    private Insert(PreparedStatement statement) {
      this.statement = statement;
    }

    /** Values for the statement's parameters: Long, Integer, Double, String, byte[] or null. */
    void row(@Nullable Object... values) throws SQLException {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.addBatch();
      if (++waiting == ROWS_PER_BATCH) {
        flush();
      }
    }

    private void flush() throws SQLException {
      if (waiting > 0) {
        statement.executeBatch();
        waiting = 0;
      }
    }
  }
}
