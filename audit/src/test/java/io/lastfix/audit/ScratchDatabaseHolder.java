package io.lastfix.audit;

import java.sql.ResultSet;

/** A program that holds a database of 100 MB open until its standard input ends. */
public final class ScratchDatabaseHolder {
  private ScratchDatabaseHolder() {}

  /** Accepts no arguments. Prints the number of bytes, once they are inserted. */
  public static void main(String... none) throws Exception {
    try (ScratchDatabase scratch = new ScratchDatabase()) {
      scratch.execute("CREATE TABLE bytes (b)");
      scratch.execute(
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)"
              + " INSERT INTO bytes SELECT randomblob(100000) FROM n");
      try (ResultSet sum = scratch.prepare("SELECT sum(length(b)) FROM bytes").executeQuery()) {
        System.out.println(sum.getLong(1));
      }
      // The input ends with the process that started this one.
      System.in.readAllBytes();
    }
  }
}
