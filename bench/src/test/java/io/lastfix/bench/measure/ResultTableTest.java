package io.lastfix.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.bench.measure.ResultTable.Column;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultTableTest {
  private final ResultTable table =
      new ResultTable(
          "rates",
          "Rates, as an example",
          new Column("what", "what", 0),
          new Column("count", "count", 0),
          new Column("rate", "records/s", 1));

  @Test
  void numbersHaveTheDecimalsOfTheirColumnAndWholeOnesNone() {
    table.row("fast", 12_345, 6_789.25);

    assertThat(table.headings()).containsExactly("what", "count", "records/s");
    assertThat(table.textRows()).containsExactly(List.of("fast", "12,345", "6,789.3"));
  }

  @Test
  void whatCouldNotBeMeasuredIsADashForAReaderAndNullForAProgram() {
    table.row("slow", null, Double.NaN);

    assertThat(table.toMarkdown())
        .isEqualTo(
            """
            Rates, as an example

            | what | count | records/s |
            | --- | --- | --- |
            | slow | – | – |
            """);
    assertThat(table.toJson(new ObjectMapper()))
        .hasToString("[{\"what\":\"slow\",\"count\":null,\"rate\":null}]");
  }

  @Test
  void aRowOfAnotherLengthIsRefused() {
    assertThatThrownBy(() -> table.row("fast"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("expected 3 cells, found 1");
  }
}
