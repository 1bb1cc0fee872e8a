package io.lastfix.cli.audit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A database on disk, in a folder of its own, for what does not fit into memory: SQLite, with a
 * cache of 64 MiB that is not part of Java's heap. It is deleted when it is closed, so nothing in
 * it has to survive a crash. Used by one thread.
 */
final class ScratchDatabase implements AutoCloseable {
  private static final int CACHE_KIB = 64 * 1024;
  private static final int ROWS_PER_BATCH = 1_000;

  private final Path folder;
  private final Connection connection;
  private final List<Insert> inserts = new ArrayList<>();

  /** For a user who stops the command: the file may be large. */
  private final Thread deletion = new Thread(this::deleteFolder, "delete-scratch");

  /** In the folder for temporary files that {@code java.io.tmpdir} names. */
  ScratchDatabase() throws IOException, SQLException {
    folder = Files.createTempDirectory("lastfix-audit");
    try {
      connection = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("scratch.db"));
      for (String pragma :
          List.of(
              "journal_mode = OFF",
              "synchronous = OFF",
              "locking_mode = EXCLUSIVE",
              "temp_store = FILE",
              "temp_store_directory = '" + folder.toString().replace("'", "''") + "'",
              "cache_size = -" + CACHE_KIB)) {
        execute("PRAGMA " + pragma);
      }
      connection.setAutoCommit(false);
      Runtime.getRuntime().addShutdownHook(deletion);
    } catch (SQLException e) {
      deleteFolder();
      throw e;
    }
  }

  /** Where it is. */
  Path folder() {
    return folder;
  }

  void execute(String sql) throws SQLException {
    for (Insert insert : inserts) {
      insert.flush();
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** A query; what was inserted before it is run is seen if {@link #flush} came between. */
  PreparedStatement prepare(String sql) throws SQLException {
    return connection.prepareStatement(sql);
  }

  /** A statement that is run once for each row, in batches. */
  Insert insert(String sql) throws SQLException {
    Insert insert = new Insert(connection.prepareStatement(sql));
    inserts.add(insert);
    return insert;
  }

  /** Makes all that was inserted visible to queries. */
  void flush() throws SQLException {
    for (Insert insert : inserts) {
      insert.flush();
    }
  }

  @Override
  public void close() throws SQLException {
    try {
      connection.close();
    } finally {
      deleteFolder();
      Runtime.getRuntime().removeShutdownHook(deletion);
    }
  }

  private void deleteFolder() {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + folder, e);
    }
  }

  /** Rows on their way into the database. */
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
