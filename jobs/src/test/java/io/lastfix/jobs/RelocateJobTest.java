package io.lastfix.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.catalogs.CellEntryJson;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.ledger.AccountedWriter;
import io.lastfix.ledger.LedgerEntry;
import io.lastfix.locate.CatalogFirstLocateOperator;
import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.CellVersion;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import io.lastfix.model.Tower;
import io.lastfix.parse.RawMessage;
import io.lastfix.rebuild.WriteCounter;
import io.lastfix.serialization.RecordTypes;
import io.lastfix.sink.WriterSink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RelocateJobTest {
  private static final int CELLS = 2_000;

  /** Of all subtasks of the source together. */
  private static final double CELLS_PER_SECOND = 2_000;

  private static final Position PLACE = new Position(-122.4, 37.8);
  private static final CellId CELL = new CellId(234, 10, 1, 1);
  private static final Sink<LocatedRecord> OF_EVEN_TS = new SinkOfEvenTimestamps();

  /** How often writers fail; static, because Flink copies them, all within this JVM. */
  private static final AtomicInteger FAILURES = new AtomicInteger();

  private final CollectingSink<LocatedRecord> positions = new CollectingSink<>();

  @AfterEach
  void forgetWhatWasCollected() {
    CollectingSink.clear();
  }

  /** Records would be lost if one of them were joined before its entry is read. */
  @Test
  void everyRecordMeetsTheWholeCatalogueAndTheRestIsCountedByReason() throws Exception {
    List<RawMessage> catalogue = new ArrayList<>();
    List<LocationRecord> records = new ArrayList<>();
    List<LocatedRecord> expected = new ArrayList<>();
    for (int cid = 0; cid < CELLS; cid++) {
      boolean isKnown = cid % 4 != 0;
      boolean isAmbiguous = cid % 4 == 1;
      CellId cell = new CellId(234, 10, 1, cid);
      if (isKnown) {
        catalogue.add(
            entry(
                cell,
                isAmbiguous
                    ? List.of(tower(Radio.LTE), tower(Radio.GSM))
                    : List.of(tower(Radio.LTE))));
      }
      LocationRecord record = new LocationRecord("user" + cid % 7, cell, null, cid);
      records.add(record);
      if (isKnown && !isAmbiguous) {
        expected.add(record.at(PLACE));
      }
    }

    JobExecutionResult result = run(records, catalogue);

    assertThat(positions.collected()).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(result.<Long>getAccumulatorResult(RelocateJob.DOCUMENTS)).isEqualTo(CELLS);
    assertThat(result.<Long>getAccumulatorResult(CatalogFirstLocateOperator.LOCATED))
        .isEqualTo(CELLS / 2);
    assertThat(result.<Long>getAccumulatorResult(CatalogFirstLocateOperator.UNKNOWN))
        .isEqualTo(CELLS / 4);
    assertThat(result.<Long>getAccumulatorResult(CatalogFirstLocateOperator.AMBIGUOUS))
        .isEqualTo(CELLS / 4);
  }

  @Test
  void noRecordIsPutAtZeroZero() throws Exception {
    Tower atZero = new Tower(Radio.LTE, List.of(new CellVersion(0, new Position(0, 0))));

    JobExecutionResult result = run(recordsAt(CELL, 3), List.of(entry(CELL, List.of(atZero))));

    assertThat(positions.collected()).isEmpty();
    assertThat(result.<Long>getAccumulatorResult(CatalogFirstLocateOperator.UNKNOWN)).isEqualTo(3);
  }

  /** A document may have got its position from the stream, or belong to an erased user. */
  @Test
  void whatIsWrittenIsCountedApartFromWhatIsKnown() throws Exception {
    JobExecutionResult result =
        run(recordsAt(CELL, 1_000), List.of(entry(CELL, List.of(tower(Radio.LTE)))), OF_EVEN_TS);

    assertThat(result.<Long>getAccumulatorResult(CatalogFirstLocateOperator.LOCATED))
        .isEqualTo(1_000);
    assertThat(result.<Long>getAccumulatorResult(WriteCounter.WRITTEN)).isEqualTo(500);
    assertThat(result.<Integer>getAccumulatorResult(WriteCounter.RESTARTS)).isZero();
  }

  @Test
  void afterARestartTheCountIsOfTheLastAttemptAndSaysSo() throws Exception {
    FAILURES.set(1);

    JobExecutionResult result =
        run(recordsAt(CELL, 1_000), List.of(entry(CELL, List.of(tower(Radio.LTE)))), OF_EVEN_TS);

    assertThat(result.<Long>getAccumulatorResult(WriteCounter.WRITTEN)).isEqualTo(500);
    assertThat(result.<Integer>getAccumulatorResult(WriteCounter.RESTARTS)).isEqualTo(1);
  }

  private static List<LocationRecord> recordsAt(CellId cell, int count) {
    return IntStream.range(0, count)
        .mapToObj(ts -> new LocationRecord("user" + ts % 7, cell, null, ts))
        .toList();
  }

  /**
   * Writes records with an even timestamp only. Its end fails as often as {@link #FAILURES} says.
   */
  private record SinkOfEvenTimestamps() implements WriterSink<LocatedRecord> {
    @Override
    public SinkWriter<LocatedRecord> createWriter(WriterInitContext context) {
      return new AccountedWriter<LocatedRecord>() {
        private long written;

        @Override
        public void write(LocatedRecord record, Context ofRecord) {
          if (record.timestampMillis() % 2 == 0) {
            written++;
          }
        }

        @Override
        public void flush(boolean isEnd) throws IOException {
          if (written > 0 && FAILURES.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            throw new IOException("no primary");
          }
        }

        @Override
        public LedgerEntry counted() {
          return LedgerEntry.ofStored(written, 0);
        }

        @Override
        public void close() {
          // Has nothing to close.
        }
      };
    }
  }

  private JobExecutionResult run(List<LocationRecord> records, List<RawMessage> catalogue)
      throws Exception {
    return run(records, catalogue, positions);
  }

  private static JobExecutionResult run(
      List<LocationRecord> records, List<RawMessage> catalogue, Sink<LocatedRecord> positions)
      throws Exception {
    ArrayList<LocationRecord> history = new ArrayList<>(records);
    ArrayList<RawMessage> cells = new ArrayList<>(catalogue);
    LocationJobConfig config =
        LocationJobConfig.load(
            null,
            // As a cluster may have it for all jobs.
            List.of(
                "job.parallelism=3",
                "flink.execution.checkpointing.interval=1 s",
                "restart.initial-backoff=50 ms"),
            name -> null);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(
            HistoryJob.flinkConfiguration(config, RuntimeExecutionMode.STREAMING));
    GeneratorFunction<Long, LocationRecord> recordByIndex =
        index -> history.get(Math.toIntExact(index));
    GeneratorFunction<Long, RawMessage> cellByIndex = index -> cells.get(Math.toIntExact(index));
    RelocateJob.defineWorkflow(
        environment,
        new DataGeneratorSource<>(recordByIndex, history.size(), RecordTypes.LOCATION_RECORD),
        new DataGeneratorSource<>(
            cellByIndex,
            cells.size(),
            // The catalogue is slower than History.
            RateLimiterStrategy.perSecond(CELLS_PER_SECOND),
            TypeInformation.of(RawMessage.class)),
        positions);
    return environment.execute();
  }

  private static Tower tower(Radio radio) {
    return new Tower(radio, List.of(new CellVersion(0, PLACE)));
  }

  private static RawMessage entry(CellId cell, List<Tower> towers) {
    return new RawMessage(
        "cells",
        0,
        0,
        cell.toString().getBytes(UTF_8),
        CellEntryJson.value(new CellEntry(cell, towers)));
  }
}
