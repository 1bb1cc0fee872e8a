package io.lastfix.store.lastknown;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.UpdateOneModel;
import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocatedRecordOrder;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.store.history.TestRecords;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** The buffer must choose as the server would; otherwise batching would change the result. */
class LocatedRecordOrderPropertyTest {

  @Property(tries = 5_000)
  void recordsCompareAsBsonComparesWhatIsSentOfThem(
      @ForAll("records") LocatedRecord a, @ForAll("records") LocatedRecord b) {
    assertThat(Integer.signum(LocatedRecordOrder.INSTANCE.compare(a, b)))
        .isEqualTo(Integer.signum(compareAsBson(last(a), last(b))));
  }

  private static BsonDocument last(LocatedRecord record) {
    UpdateOneModel<BsonDocument> write =
        (UpdateOneModel<BsonDocument>) new LastKnownLocationConverter().apply(record);
    return Objects.requireNonNull(write.getUpdate())
        .toBsonDocument()
        .getDocument("$max")
        .getDocument("last");
  }

  /**
   * Compares as in MongoDB's manual, "Comparison/Sort Order", for documents with the same fields:
   * field by field in their order; null before all others, dates as signed numbers, strings by
   * their bytes, doubles as numbers.
   */
  private static int compareAsBson(BsonDocument a, BsonDocument b) {
    assertThat(a.keySet()).containsExactlyElementsOf(b.keySet());
    Iterator<BsonValue> others = b.values().iterator();
    for (Map.Entry<String, BsonValue> field : a.entrySet()) {
      int order = compareAsBson(field.getValue(), others.next());
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static int compareAsBson(BsonValue a, BsonValue b) {
    if (a.isNull() || b.isNull()) {
      return Boolean.compare(b.isNull(), a.isNull());
    }
    return switch (a.getBsonType()) {
      case DOCUMENT -> compareAsBson(a.asDocument(), b.asDocument());
      case DATE_TIME -> Long.compare(a.asDateTime().getValue(), b.asDateTime().getValue());
      case STRING ->
          Arrays.compareUnsigned(
              a.asString().getValue().getBytes(UTF_8), b.asString().getValue().getBytes(UTF_8));
      case DOUBLE -> {
        double first = a.asDouble().getValue();
        double second = b.asDouble().getValue();
        yield first < second ? -1 : first > second ? 1 : 0;
      }
      default -> throw new AssertionError("no such type in last: " + a.getBsonType());
    };
  }

  /** Few values per field, so that comparisons reach the later fields. */
  @Provide
  Arbitrary<LocatedRecord> records() {
    Arbitrary<CellId> cells =
        Combinators.combine(
                Arbitraries.of(23, 234),
                Arbitraries.of(1, 10, 100),
                Arbitraries.of(CellId.NO_AREA, 0, 9, 10, 40),
                Arbitraries.of(0L, 9L, 10L, 99L, CellId.MAX_CID))
            .as(CellId::new);
    Arbitrary<Position> positions =
        Combinators.combine(
                Arbitraries.of(-180.0, -0.1, -0.0, 0.0, 0.1, 180.0),
                Arbitraries.of(-90.0, -0.0, 0.0, 51.5))
            .as(Position::new);
    Arbitrary<Long> times = Arbitraries.of(-1L, 0L, 1L, TestRecords.TIMESTAMP_MILLIS);
    Arbitrary<Fix> fixes =
        Combinators.combine(
                positions,
                Arbitraries.of(PositionSource.GNSS, PositionSource.NETWORK, PositionSource.MLP),
                Arbitraries.of(0.5, 3.0, 10.0).injectNull(0.3))
            .as((position, source, accuracy) -> new Fix(position, source, accuracy, null, null));
    return Arbitraries.oneOf(
        Combinators.combine(times, cells, positions)
            .as((ts, cell, position) -> new LocatedRecord("user", cell, ts, position)),
        Combinators.combine(times, cells.injectNull(0.5), fixes)
            .as(
                (ts, cell, fix) ->
                    new LocatedRecord("user", Place.of(cell, null, fix), ts, null, false)));
  }
}
