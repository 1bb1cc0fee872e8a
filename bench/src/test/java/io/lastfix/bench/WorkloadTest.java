package io.lastfix.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lastfix.model.CellSite;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.workload.MessageFormat;
import io.lastfix.workload.SyntheticCells;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WorkloadTest {
  private static final int RECORDS = 3_000;
  private static final List<CellSite> CELLS = SyntheticCells.grid(400);
  private static final Workload WORKLOAD =
      new Workload(
          MessageFormat.ARCANUM, 0, RECORDS, 50, Instant.parse("2026-11-20T12:00:00Z"), 0, 0);

  @Test
  void theMixedWorkloadHasTopicsOfItsOwnAndAThirdOfEachKind() {
    Workload mixed = WORKLOAD.mixed();
    List<LocatedRecord> records = mixed.located(CELLS);

    assertThat(mixed.name()).isEqualTo("json-mixed");
    assertThat(Bench.topic(mixed)).isNotEqualTo(Bench.topic(WORKLOAD.with(MessageFormat.JSON)));
    assertThat(records).hasSize(RECORDS);
    assertThat(records.stream().filter(record -> record.fix() == null).count())
        .isCloseTo(RECORDS / 3, within(RECORDS / 20L));
    assertThat(records.stream().filter(record -> record.cell() == null).count())
        .isCloseTo(RECORDS / 3, within(RECORDS / 20L));
    assertThat(WORKLOAD.located(CELLS)).allMatch(record -> record.fix() == null);
  }

  @Test
  void aLocatedRecordHasThePositionOfItsCellBesideItsOwn() {
    Map<Object, Position> positions =
        CELLS.stream().collect(Collectors.toMap(CellSite::cell, CellSite::position));

    assertThat(WORKLOAD.mixed().located(CELLS))
        .allSatisfy(
            record ->
                assertThat(record.cellPosition())
                    .isEqualTo(record.cell() == null ? null : positions.get(record.cell())))
        .allSatisfy(record -> assertThat(record.isLocated()).isTrue());
  }

  @Test
  void theDenseWorkloadHasItsRecordsOfAMillisecondAndNoRecordTwice() {
    Workload dense = WORKLOAD.dense(20);
    List<LocatedRecord> records = dense.located(CELLS);

    assertThat(dense.name()).isEqualTo("arcanum-dense20");
    assertThat(records).hasSize(RECORDS);
    assertThat(
            records.stream()
                .collect(
                    Collectors.groupingBy(LocatedRecord::timestampMillis, Collectors.counting()))
                .values())
        .containsOnly(20L);
    assertThat(records)
        .extracting(record -> record.user() + record.timestampMillis())
        .doesNotHaveDuplicates();
  }
}
