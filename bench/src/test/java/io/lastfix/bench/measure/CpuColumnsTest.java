package io.lastfix.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.bench.measure.ProcessCpu.Reading;
import io.lastfix.bench.measure.ProcessCpu.Server;
import io.lastfix.bench.measure.ResultTable.Column;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CpuColumnsTest {
  @Test
  void eachProcessHasItsColumnBehindTheOthersAndWhatIsElsewhereIsEmpty() {
    Reading used = new Reading(Map.of(Server.FLINK, 12.0, Server.MONGODB, 8.0), 2.0);
    ResultTable table =
        new ResultTable("t", "title", CpuColumns.behind(new Column("rate", "records/s", 0)));

    table.row(CpuColumns.behind(figure -> figure.applyAsDouble(used.perSecond(10)), 4_000));

    assertThat(table.toMarkdown())
        .contains(
            "| records/s | Flink CPU s/s | Kafka CPU s/s | MongoDB CPU s/s | bench CPU s/s |",
            "| 4,000 | 1.20 | – | 0.80 | 0.20 |");
  }
}
