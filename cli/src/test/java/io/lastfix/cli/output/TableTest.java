package io.lastfix.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TableTest {
  @Test
  void everyColumnIsAsWideAsItsWidestCell() {
    Table table = new Table("USER", "CELL", "NOTE");
    table.row("a", "234-10-4021-1", "x");
    table.row("abcdefg", "1", "yy");

    assertThat(table.toString().lines())
        .containsExactly(
            "USER     CELL           NOTE",
            "a        234-10-4021-1  x",
            "abcdefg  1              yy");
  }

  @Test
  void theLastColumnIsNotPadded() {
    Table table = new Table("A", "B");
    table.row("1", "long");

    assertThat(table.toString().lines()).containsExactly("A  B", "1  long");
  }

  @Test
  void aCellIsAnyObjectAndADashIfThereIsNone() {
    Table table = new Table("A", "B");
    table.row(1_000, null);

    assertThat(table.toString().lines()).containsExactly("A     B", "1000  -");
  }

  @Test
  void aTableWithoutRowsIsItsHeading() {
    assertThat(new Table("A", "B")).hasToString("A  B");
  }

  @Test
  void aDeviceCannotCommandTheTerminalOrFakeALine() {
    Table table = new Table("DEVICE", "CLASS");
    table.row("a\u001b[2J\nb  online", "c\u202ed\u0007");
    table.row("é $x", "ok");

    assertThat(table.toString().lines())
        .containsExactly(
            "DEVICE                     CLASS",
            "a\\u001b[2J\\u000ab  online  c\\u202ed\\u0007",
            "é $x                       ok");
  }
}
