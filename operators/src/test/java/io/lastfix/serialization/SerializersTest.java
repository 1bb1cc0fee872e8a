package io.lastfix.serialization;

import static io.lastfix.locate.TestCells.CELL;
import static io.lastfix.locate.TestCells.CELL_WITHOUT_AREA;
import static io.lastfix.locate.TestCells.FERRY_BUILDING;
import static io.lastfix.locate.TestCells.NOON;
import static io.lastfix.locate.TestCells.RECORD;
import static io.lastfix.locate.TestCells.UNION_SQUARE;
import static io.lastfix.locate.TestCells.USER;
import static io.lastfix.locate.TestCells.entry;
import static io.lastfix.locate.TestCells.tower;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.CellVersion;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Radio;
import io.lastfix.model.Revision;
import io.lastfix.model.Tower;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.apache.flink.api.common.typeutils.SerializerTestBase;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SerializersTest {
  private static final Fix ROUGH = new Fix(FERRY_BUILDING, PositionSource.NETWORK);
  private static final Fix EXACT =
      new Fix(FERRY_BUILDING, PositionSource.GNSS, 3.5, -2.0, "{\"type\": \"Point\"}");

  private static final CellVersion HEARD_1_000_M = new CellVersion(0, FERRY_BUILDING, 1_000);

  /** A record of a cell of unknown range: the same in versions 1 and 2. */
  private static final String LOCATED =
      "0f33353030303030303030303739313911b702e003814c8ebedc0480a89f8dbf6801c05e99331a08bfc24042e4e05ccc89b1";

  private static final CellId LARGEST_CELL =
      new CellId(CellId.MAX_MCC, CellId.MAX_MNC, CellId.MAX_AREA, CellId.MAX_CID);

  /** Flink's own checks of a serializer. */
  @Nested
  class OfLocationRecords extends SerializerTestBase<LocationRecord> {
    @Override
    protected TypeSerializer<LocationRecord> createSerializer() {
      return new LocationRecordSerializer();
    }

    @Override
    protected int getLength() {
      return -1;
    }

    @Override
    protected Class<LocationRecord> getTypeClass() {
      return LocationRecord.class;
    }

    @Override
    protected LocationRecord[] getTestData() {
      return new LocationRecord[] {
        RECORD,
        new LocationRecord("u", CELL_WITHOUT_AREA, null, 0),
        new LocationRecord("Zürich-\u0416-\uD83D\uDE95", LARGEST_CELL, Radio.NR, Long.MAX_VALUE),
        new LocationRecord(USER, new CellId(0, 0, 0, 0), Radio.GSM, Long.MIN_VALUE),
        new LocationRecord(USER, new Place.AtFix(EXACT), NOON),
        new LocationRecord(USER, new Place.AtFixAndCell(ROUGH, CELL, Radio.NR), NOON),
      };
    }
  }

  @Nested
  class OfLocatedRecords extends SerializerTestBase<LocatedRecord> {
    @Override
    protected TypeSerializer<LocatedRecord> createSerializer() {
      return new LocatedRecordSerializer();
    }

    @Override
    protected int getLength() {
      return -1;
    }

    @Override
    protected Class<LocatedRecord> getTypeClass() {
      return LocatedRecord.class;
    }

    @Override
    protected LocatedRecord[] getTestData() {
      return new LocatedRecord[] {
        RECORD.at(FERRY_BUILDING),
        RECORD.at(null),
        new LocatedRecord("\uD83D\uDE95", LARGEST_CELL, -1, new Position(-180, -90)),
        new LocatedRecord("u", CELL_WITHOUT_AREA, 0, new Position(180, 90)),
        RECORD.atCell(new CellVersion(0, FERRY_BUILDING, Integer.MAX_VALUE)),
        new LocatedRecord("u", new Place.AtFix(ROUGH), 0, null, false),
        new LocatedRecord("u", new Place.AtFixAndCell(EXACT, CELL, null), 0, null, false),
        new LocatedRecord("u", new Place.AtFixAndCell(EXACT, CELL, null), 0, UNION_SQUARE, true),
      };
    }
  }

  @Nested
  class OfCellEntries extends SerializerTestBase<CellEntry> {
    @Override
    protected TypeSerializer<CellEntry> createSerializer() {
      return new CellEntrySerializer();
    }

    @Override
    protected int getLength() {
      return -1;
    }

    @Override
    protected Class<CellEntry> getTypeClass() {
      return CellEntry.class;
    }

    @Override
    protected CellEntry[] getTestData() {
      return new CellEntry[] {
        entry(CELL, FERRY_BUILDING),
        entry(CELL).withRevision(new Revision(Revision.MAX_NUMBER, Long.MAX_VALUE - 1, 7)),
        entry(LARGEST_CELL, tower(Radio.LTE, FERRY_BUILDING), tower(Radio.NR, UNION_SQUARE)),
        entry(
            CELL,
            new Tower(
                Radio.CDMA,
                List.of(
                    new CellVersion(-NOON, FERRY_BUILDING, Integer.MAX_VALUE),
                    new CellVersion(NOON, UNION_SQUARE)))),
      };
    }
  }

  @Property
  void everyLocationRecordSurvivesARoundTripAndACopy(
      @ForAll("locationRecords") LocationRecord record) throws IOException {
    LocationRecordSerializer serializer = new LocationRecordSerializer();
    assertThat(TestBytes.roundTrip(serializer, record)).isEqualTo(record);
    assertThat(TestBytes.copied(serializer, record)).isEqualTo(record);
  }

  @Property
  void everyLocatedRecordSurvivesARoundTripAndACopy(
      @ForAll("locationRecords") LocationRecord record,
      @ForAll("positions") Position position,
      @ForAll @IntRange(max = Integer.MAX_VALUE) int range)
      throws IOException {
    LocatedRecordSerializer serializer = new LocatedRecordSerializer();
    LocatedRecord located =
        record.cell() != null && record.fix() == null && position != null
            ? record.atCell(new CellVersion(0, position, range))
            : record.at(record.cell() == null ? null : position);
    assertThat(TestBytes.roundTrip(serializer, located)).isEqualTo(located);
    assertThat(TestBytes.copied(serializer, located)).isEqualTo(located);
  }

  @Property
  void everySignedNumberSurvivesAZigzag(@ForAll long value) throws IOException {
    DataOutputSerializer target = new DataOutputSerializer(10);
    BinaryFormat.writeZigzag(value, target);
    assertThat(BinaryFormat.readZigzag(new DataInputDeserializer(target.getCopyOfBuffer())))
        .isEqualTo(value);
  }

  @Provide
  Arbitrary<LocationRecord> locationRecords() {
    Arbitrary<String> users =
        Arbitraries.strings()
            .all()
            .ofMinLength(1)
            .ofMaxLength(40)
            .filter(SerializersTest::isWellFormed);
    Arbitrary<CellId> cells =
        Combinators.combine(
                Arbitraries.integers().between(0, CellId.MAX_MCC),
                Arbitraries.integers().between(0, CellId.MAX_MNC),
                Arbitraries.integers().between(CellId.NO_AREA, CellId.MAX_AREA),
                Arbitraries.longs().between(0, CellId.MAX_CID))
            .as(CellId::new);
    Arbitrary<Fix> fixes =
        Combinators.combine(
                positions().filter(Objects::nonNull),
                Arbitraries.of(PositionSource.GNSS, PositionSource.NETWORK, PositionSource.MLP),
                Arbitraries.doubles().between(0.1, 1e6).injectNull(0.3),
                Arbitraries.doubles().between(-1e4, 1e5).injectNull(0.3),
                Arbitraries.strings().ascii().injectNull(0.5))
            .as(Fix::new);
    Arbitrary<Place> places =
        Combinators.combine(cells, fixes, Arbitraries.of(Radio.class).injectNull(0.2))
            .flatAs(
                (cell, fix, radio) ->
                    Arbitraries.of(
                        new Place.AtCell(cell, radio),
                        new Place.AtFix(fix),
                        new Place.AtFixAndCell(fix, cell, radio)));
    return Combinators.combine(users, places, Arbitraries.longs())
        .as((user, place, ts) -> new LocationRecord(user, place, ts));
  }

  @Provide
  Arbitrary<Position> positions() {
    return Combinators.combine(
            Arbitraries.doubles().between(-180, 180), Arbitraries.doubles().between(-90, 90))
        .as(Position::new)
        .injectNull(0.2);
  }

  /** Unpaired surrogates have no UTF-8 form. */
  private static boolean isWellFormed(String text) {
    return UTF_8.newEncoder().canEncode(text);
  }

  @Test
  void aRecordOfA15DigitUserTakesAtMost52Bytes() throws IOException {
    assertThat(TestBytes.bytes(new LocationRecordSerializer(), RECORD)).hasSize(33);
    assertThat(TestBytes.bytes(new LocatedRecordSerializer(), RECORD.at(null))).hasSize(34);
    assertThat(TestBytes.bytes(new LocatedRecordSerializer(), RECORD.at(FERRY_BUILDING)))
        .hasSize(50);
    assertThat(TestBytes.bytes(new LocatedRecordSerializer(), RECORD.atCell(HEARD_1_000_M)))
        .hasSize(52);
  }

  @Test
  void aCatalogueEntryOfOneVersionTakesLessThan50Bytes() throws IOException {
    assertThat(TestBytes.bytes(new CellEntrySerializer(), entry(CELL, FERRY_BUILDING)))
        .hasSizeLessThan(50);
  }

  // If one of these fails, raise the serializer's VERSION, keep reading the old one, then update.

  @Test
  void theLayoutOfALocationRecordIsThatOfVersion1() throws IOException {
    assertThat(LocationRecordSerializer.VERSION).isEqualTo(1);
    assertThat(TestBytes.hex(new LocationRecordSerializer(), RECORD))
        .isEqualTo("0f33353030303030303030303739313911b702e003814c8ebedc0480a89f8dbf68");
    assertThat(
            TestBytes.hex(
                new LocationRecordSerializer(),
                new LocationRecord(
                    USER, new Place.AtFixAndCell(EXACT, CELL, null), RECORD.timestampMillis())))
        .isEqualTo(
            "0f33353030303030303030303739313903b702e003814c8ebedc04c05e99331a08bfc24042e4e05ccc89b10107400c000000000000c000000000000000117b2274797065223a2022506f696e74227d80a89f8dbf68");
  }

  @Test
  void theLayoutOfALocatedRecordIsThatOfVersion2() throws IOException {
    assertThat(LocatedRecordSerializer.VERSION).isEqualTo(2);
    assertThat(TestBytes.hex(new LocatedRecordSerializer(), RECORD.at(FERRY_BUILDING)))
        .isEqualTo(LOCATED);
    assertThat(TestBytes.hex(new LocatedRecordSerializer(), RECORD.atCell(HEARD_1_000_M)))
        .isEqualTo(LOCATED.replace("6801c05e", "6805c05e") + "e807");
  }

  @Test
  void aLocatedRecordOfVersion1IsRead() throws IOException {
    assertThat(TestBytes.read(new LocatedRecordSerializer.Snapshot(), 1, LOCATED))
        .isEqualTo(RECORD.at(FERRY_BUILDING));
  }

  @Test
  void theLayoutOfACellEntryIsThatOfVersion1() throws IOException {
    assertThat(CellEntrySerializer.VERSION).isEqualTo(1);
    assertThat(TestBytes.hex(new CellEntrySerializer(), entry(CELL, FERRY_BUILDING)))
        .isEqualTo("b702e003814c8ebedc0401040100c05e99331a08bfc24042e4e05ccc89b100000000");
  }
}
