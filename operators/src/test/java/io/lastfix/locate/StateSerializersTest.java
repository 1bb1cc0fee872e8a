package io.lastfix.locate;

import static io.lastfix.locate.TestCells.CELL;
import static io.lastfix.locate.TestCells.CELL_IN_OTHER_AREA;
import static io.lastfix.locate.TestCells.FERRY_BUILDING;
import static io.lastfix.locate.TestCells.NOON;
import static io.lastfix.locate.TestCells.RECORD;
import static io.lastfix.locate.TestCells.TWIN_PEAKS;
import static io.lastfix.locate.TestCells.UNION_SQUARE;
import static io.lastfix.locate.TestCells.entry;
import static io.lastfix.locate.TestCells.tower;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.CellVersion;
import io.lastfix.model.Radio;
import io.lastfix.model.Revision;
import io.lastfix.model.Tower;
import io.lastfix.serialization.TestBytes;
import java.io.IOException;
import java.util.List;
import org.apache.flink.api.common.typeutils.SerializerTestBase;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class StateSerializersTest {
  private static final KnownCells ONE_VERSION =
      KnownCells.NONE.with(
          entry(
                  CELL,
                  new Tower(Radio.LTE, List.of(new CellVersion(1_491_242_559_000L, TWIN_PEAKS))))
              .withRevision(new Revision(NOON, 7, 1)),
          NOON);
  private static final WaitingRecord WAITING = new WaitingRecord(RECORD, NOON + 1, NOON + 2, 3);

  @Nested
  class OfKnownCells extends SerializerTestBase<KnownCells> {
    @Override
    protected TypeSerializer<KnownCells> createSerializer() {
      return new KnownCellsSerializer();
    }

    @Override
    protected int getLength() {
      return -1;
    }

    @Override
    protected Class<KnownCells> getTypeClass() {
      return KnownCells.class;
    }

    @Override
    protected KnownCells[] getTestData() {
      return new KnownCells[] {
        KnownCells.NONE,
        ONE_VERSION,
        ONE_VERSION
            .with(entry(CELL_IN_OTHER_AREA, UNION_SQUARE), NOON)
            .with(entry(CELL).withRevision(new Revision(Revision.MAX_NUMBER, 8, 0)), NOON)
            .with(
                entry(CELL, tower(Radio.NR, TWIN_PEAKS), tower(Radio.GSM, FERRY_BUILDING))
                    .withRevision(new Revision(Revision.MAX_NUMBER, 9, 0)),
                NOON),
        KnownCells.NONE.with(
            entry(CELL, new Tower(Radio.LTE, List.of(new CellVersion(7, TWIN_PEAKS, 1_000)))),
            NOON),
        ONE_VERSION.with(entry(CELL).withRevision(new Revision(NOON, 8, 0)), NOON),
      };
    }
  }

  @Nested
  class OfWaitingRecords extends SerializerTestBase<WaitingRecord> {
    @Override
    protected TypeSerializer<WaitingRecord> createSerializer() {
      return new WaitingRecordSerializer();
    }

    @Override
    protected int getLength() {
      return -1;
    }

    @Override
    protected Class<WaitingRecord> getTypeClass() {
      return WaitingRecord.class;
    }

    @Override
    protected WaitingRecord[] getTestData() {
      return new WaitingRecord[] {
        WAITING, new WaitingRecord(RECORD, WaitingRecord.NO_TIMESTAMP, 0, Long.MAX_VALUE),
      };
    }
  }

  @Test
  void aCellWithOneTowerAndOneVersionTakes38BytesInACheckpoint() throws IOException {
    assertThat(TestBytes.bytes(new KnownCellsSerializer(), ONE_VERSION)).hasSize(38);
  }

  // If one of these fails, raise the serializer's VERSION, keep reading the old one, then update.

  @Test
  void theLayoutOfKnownCellsIsThatOfVersion1() throws IOException {
    assertThat(KnownCellsSerializer.VERSION).isEqualTo(1);
    assertThat(TestBytes.hex(new KnownCellsSerializer(), ONE_VERSION))
        .isEqualTo("01804c81d4cfc69f34080200010401b098ddcfe656c05e9ca4c1ebc83b4042e09068986fce00");
  }

  @Test
  void theLayoutOfAWaitingRecordIsThatOfVersion1() throws IOException {
    assertThat(WaitingRecordSerializer.VERSION).isEqualTo(1);
    assertThat(TestBytes.hex(new WaitingRecordSerializer(), WAITING))
        .isEqualTo(
            "0f33353030303030303030303739313911b702e003814c8ebedc0480a89f8dbf6882a89f8dbf6884a89f8dbf6803");
  }
}
