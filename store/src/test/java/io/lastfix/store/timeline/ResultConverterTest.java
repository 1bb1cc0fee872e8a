package io.lastfix.store.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import io.lastfix.store.counts.NumberKind;
import java.time.Instant;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;

class ResultConverterTest {
  /** 2026-11-20T12:00:00Z. */
  private static final long T = 1_795_176_000_000L;

  private static final DensityCount DENSITY =
      new DensityCount(T, PlaceKind.CELL, "310-260-7-1", 20, WindowState.OPEN);
  private static final FlowCount FLOW =
      new FlowCount(T, PlaceKind.AREA, "8085", "8087", 40, 20, WindowState.CLOSED);
  private static final Stay STAY =
      new Stay(PlaceKind.CELL, "310-260-7-1", T, T + 900_000, Stay.End.ABSENT);
  private static final Trip TRIP =
      new Trip(PlaceKind.CELL, "310-260-7-1", "310-260-7-2", T, T + 60_000, 3);

  @Test
  void densityIsByWindowAndPlace() {
    assertThat(document(ResultConverter.ofStream(), DENSITY))
        .isEqualTo(
            BsonDocument.parse(
                """
            {_id: {w: {$date: "2026-11-20T12:00:00Z"}, by: "cell", k: "310-260-7-1"},
             n: 20, state: "open"}"""));
  }

  @Test
  void flowsAreByHourAndPlaces() {
    assertThat(document(ResultConverter.ofStream(), FLOW))
        .isEqualTo(
            BsonDocument.parse(
                """
            {_id: {w: {$date: "2026-11-20T12:00:00Z"}, by: "area", from: "8085", to: "8087"},
             n: 40, devices: 20, state: "closed"}"""));
  }

  @Test
  void recordsThatCameTooLateAreByHourAndKind() {
    assertThat(
            document(
                ResultConverter.ofStream(),
                new LateCount(T, NumberKind.FLOWS, "burst", 7, T + 7_200_000)))
        .isEqualTo(
            BsonDocument.parse(
                """
            {_id: {w: {$date: "2026-11-20T12:00:00Z"}, by: "flows", k: "burst"},
             n: {$numberLong: "7"}, since: {$date: "2026-11-20T14:00:00Z"}, state: "closed"}"""));
    assertThat(LateCount.hourOf(T + 3_599_999)).isEqualTo(T);
    assertThat(LateCount.hourOf(-1)).isEqualTo(-3_600_000);
  }

  @Test
  void aWithheldResultHasNoNumber() {
    assertThat(
            document(
                ResultConverter.ofHistory(Instant.ofEpochMilli(T)),
                new DensityCount(
                    T, PlaceKind.CELL, "c", DensityCount.WITHHELD, WindowState.CLOSED)))
        .isEqualTo(
            BsonDocument.parse(
                """
            {_id: {w: {$date: "2026-11-20T12:00:00Z"}, by: "cell", k: "c"},
             withheld: true, state: "batch"}"""));
    assertThat(
            document(
                ResultConverter.ofStream(),
                new FlowCount(
                    T,
                    PlaceKind.CELL,
                    "c",
                    "d",
                    FlowCount.WITHHELD,
                    FlowCount.WITHHELD,
                    WindowState.OPEN)))
        .isEqualTo(
            BsonDocument.parse(
                """
            {_id: {w: {$date: "2026-11-20T12:00:00Z"}, by: "cell", from: "c", to: "d"},
             withheld: true, state: "open"}"""));
  }

  @Test
  void staysAreByUserAndBegin() {
    assertThat(document(ResultConverter.ofStream(), new StayChange("user1", STAY, false)))
        .isEqualTo(
            BsonDocument.parse(
                """
            {_id: {user: "user1", by: "cell", begin: {$date: "2026-11-20T12:00:00Z"}},
             k: "310-260-7-1", end: {$date: "2026-11-20T12:15:00Z"}, ended: "absent",
             state: "closed"}"""));
  }

  @Test
  void anOpenStayHasNoEnd() {
    Stay open = new Stay(PlaceKind.CELL, "c", T, Stay.NO_END, Stay.End.OPEN);

    assertThat(document(ResultConverter.ofStream(), new StayChange("user1", open, false)))
        .isEqualTo(
            BsonDocument.parse(
                """
            {_id: {user: "user1", by: "cell", begin: {$date: "2026-11-20T12:00:00Z"}},
             k: "c", ended: "open", state: "open"}"""));
  }

  /** What History ends with is not the end of the stay. */
  @Test
  void aStayOfHistoryIsOpenIfItsAbsenceIsNotKnown() {
    StayChange change = new StayChange("user1", STAY, false);

    assertThat(document(ResultConverter.ofHistory(Instant.ofEpochMilli(T + 900_000)), change))
        .containsEntry("ended", new BsonString("absent"))
        .containsEntry("state", new BsonString("batch"));
    assertThat(document(ResultConverter.ofHistory(Instant.ofEpochMilli(T + 899_999)), change))
        .containsEntry("ended", new BsonString("open"))
        .containsEntry("state", new BsonString("batch"))
        .doesNotContainKey("end");
  }

  @Test
  void tripsAreByUserAndBegin() {
    assertThat(document(ResultConverter.ofStream(), new TripChange("user1", TRIP, false)))
        .isEqualTo(
            BsonDocument.parse(
                """
            {_id: {user: "user1", by: "cell", begin: {$date: "2026-11-20T12:00:00Z"}},
             from: "310-260-7-1", to: "310-260-7-2", end: {$date: "2026-11-20T12:01:00Z"}, via: 3,
             state: "closed"}"""));
  }

  @Test
  void aRefutedResultDeletesItsDocument() {
    assertDeletes(
        ResultConverter.ofStream(),
        new DensityCount(T, PlaceKind.CELL, "c", 0, WindowState.DELETED));
    assertDeletes(
        ResultConverter.ofStream(),
        new FlowCount(T, PlaceKind.CELL, "c", "d", 0, 0, WindowState.DELETED));
    assertDeletes(ResultConverter.ofStream(), new StayChange("user1", STAY, true));
    assertDeletes(ResultConverter.ofStream(), new TripChange("user1", TRIP, true));
  }

  private static void assertDeletes(ResultConverter converter, StoredResult result) {
    assertThat(converter.apply(result))
        .isInstanceOfSatisfying(
            DeleteOneModel.class,
            delete ->
                assertThat(delete.getFilter()).isEqualTo(new BsonDocument("_id", result.id())));
  }

  /** The document that replaces that of its {@code _id}. */
  private static BsonDocument document(ResultConverter converter, StoredResult result) {
    assertThat(converter.apply(result)).isInstanceOf(ReplaceOneModel.class);
    ReplaceOneModel<BsonDocument> write = (ReplaceOneModel<BsonDocument>) converter.apply(result);
    assertThat(write.getReplaceOptions().isUpsert()).isTrue();
    assertThat(write.getFilter()).isEqualTo(new BsonDocument("_id", result.id()));
    return write.getReplacement();
  }
}
