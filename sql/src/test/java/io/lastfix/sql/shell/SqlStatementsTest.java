package io.lastfix.sql.shell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SqlStatementsTest {
  @Test
  void aStatementEndsWithASemicolonAndTheLastOneNeedsNone() {
    assertThat(SqlStatements.of("SET 'a' = 'b';\n\nSELECT 1 ;; SELECT\n2"))
        .containsExactly("SET 'a' = 'b'", "SELECT 1", "SELECT\n2");
  }

  @Test
  void aSemicolonInQuotesEndsNothing() {
    assertThat(SqlStatements.of("SELECT ';', 'it''s; -- so', `a;b`, \"c;d\" FROM t; SELECT 2"))
        .containsExactly("SELECT ';', 'it''s; -- so', `a;b`, \"c;d\" FROM t", "SELECT 2");
  }

  @Test
  void commentsGoAndHintsStay() {
    assertThat(
            SqlStatements.of(
                "-- first; line\nSELECT 1 -- one;\n, 2 /* two; */ FROM t /*+ OPTIONS('a'='b') */;"
                    + " -- the end"))
        .containsExactly("SELECT 1 \n, 2   FROM t /*+ OPTIONS('a'='b') */");
  }

  @Test
  void whatIsNotClosedEndsWithTheText() {
    assertThat(SqlStatements.of("SELECT 'a;")).containsExactly("SELECT 'a;");
    assertThat(SqlStatements.of("SELECT 1 /* ;")).containsExactly("SELECT 1");
    assertThat(SqlStatements.of("  -- nothing")).isEmpty();
  }
}
