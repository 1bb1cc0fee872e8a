package io.lastfix.store.lastknown;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocatedRecordOrder;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.store.history.TestRecords;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The order that {@code docs/reference/collections.md} states under "Records of one millisecond".
 * {@link LocatedRecordOrderPropertyTest} shows that the server's order of the documents is the
 * same.
 */
class LocatedRecordOrderTest {
  private static final CellId AREA_10 = new CellId(310, 410, 10, 1);
  private static final CellId AREA_9 = new CellId(310, 410, 9, 1);
  private static final Position WEST = new Position(-122.5, 37.8);
  private static final Position EAST = new Position(-122.4, 37.7);
  private static final Position NORTH_EAST = new Position(-122.4, 37.8);

  /** From the least to the greatest. */
  private static final List<LocatedRecord> OF_ONE_MILLISECOND =
      List.of(
          own(null, WEST, PositionSource.NETWORK, 3.0),
          own(null, EAST, PositionSource.NETWORK, 3.0),
          own(null, NORTH_EAST, PositionSource.GNSS, null),
          own(null, NORTH_EAST, PositionSource.GNSS, 3.0),
          own(null, NORTH_EAST, PositionSource.GNSS, 20.0),
          own(null, NORTH_EAST, PositionSource.MLP, null),
          own(null, NORTH_EAST, PositionSource.NETWORK, null),
          tower(AREA_10, WEST),
          own(AREA_10, WEST, PositionSource.GNSS, 3.0),
          tower(AREA_10, EAST),
          tower(AREA_9, WEST),
          own(AREA_9, NORTH_EAST, PositionSource.GNSS, 3.0));

  @Test
  void ofOneMillisecondTheCellsTextDecidesThenLonThenLatThenTheSourcesTextThenTheGreaterRadius() {
    for (int i = 0; i < OF_ONE_MILLISECOND.size(); i++) {
      for (int j = 0; j < OF_ONE_MILLISECOND.size(); j++) {
        assertThat(
                Integer.signum(
                    LocatedRecordOrder.INSTANCE.compare(
                        OF_ONE_MILLISECOND.get(i), OF_ONE_MILLISECOND.get(j))))
            .as("%d against %d", i, j)
            .isEqualTo(Integer.compare(i, j));
      }
    }
  }

  @Test
  void aLaterMillisecondIsGreaterWhateverElseDiffers() {
    LocatedRecord least = OF_ONE_MILLISECOND.get(0);
    LocatedRecord later =
        new LocatedRecord(least.user(), least.place(), least.timestampMillis() + 1, null, false);

    List<LocatedRecord> records = new ArrayList<>(OF_ONE_MILLISECOND);
    records.add(later);
    Collections.shuffle(records, new Random(16));

    assertThat(Collections.max(records, LocatedRecordOrder.INSTANCE)).isEqualTo(later);
  }

  private static LocatedRecord tower(CellId cell, Position position) {
    return new LocatedRecord("user", cell, TestRecords.TIMESTAMP_MILLIS, position);
  }

  private static LocatedRecord own(
      @Nullable CellId cell,
      Position position,
      PositionSource source,
      @Nullable Double accuracyMeters) {
    return new LocatedRecord(
        "user",
        Place.of(cell, null, new Fix(position, source, accuracyMeters, null, null)),
        TestRecords.TIMESTAMP_MILLIS,
        null,
        false);
  }
}
