package io.lastfix.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import org.junit.jupiter.api.Test;

class ScratchDatabaseTest {
  @Test
  void whatIsInsertedIsFoundAndNothingIsLeftBehind() throws Exception {
    Path folder;
    try (ScratchDatabase scratch = new ScratchDatabase()) {
      folder = scratch.folder();
      scratch.execute("CREATE TABLE numbers (n)");
      ScratchDatabase.Insert insert = scratch.insert("INSERT INTO numbers VALUES (?)");
      for (int i = 0; i < 2_500; i++) {
        insert.row(i);
      }
      scratch.flush();
      try (ResultSet sum = scratch.prepare("SELECT sum(n) FROM numbers").executeQuery()) {
        assertThat(sum.getLong(1)).isEqualTo(2_499L * 2_500 / 2);
      }
      assertThat(folder).isNotEmptyDirectory();
    }
    assertThat(Files.exists(folder)).isFalse();
  }
}
