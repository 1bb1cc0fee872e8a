package io.lastfix.audit;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A database on disk for data that does not fit into memory: SQLite, with a cache of 64 MiB outside
 * of Java's heap. SQLite deletes its files as soon as they are open, so that the system frees them
 * when the process ends, however it ends. Used by one thread.
 */
public final class ScratchDatabase implements AutoCloseable {
  private static final int CACHE_KIB = 64 * 1024;

  private final Connection connection;

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

  /** Executes a statement. */
  public void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Prepares a query, or a statement. */
  public PreparedStatement prepare(String sql) throws SQLException {
    return connection.prepareStatement(sql);
  }

  /** Prepares a statement that runs once for each row. */
  Insert insert(String sql) throws SQLException {
    return new Insert(prepare(sql));
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  /** Inserts rows. */
  record Insert(PreparedStatement statement) {
    /** Values for the statement's parameters: Long, Integer, Double, String, byte[] or null. */
    void row(@Nullable Object... values) throws SQLException {
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      statement.executeUpdate();
    }
  }
}
