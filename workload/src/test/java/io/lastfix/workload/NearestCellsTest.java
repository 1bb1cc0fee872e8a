package io.lastfix.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.Position;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class NearestCellsTest {
  /** By the chord, as the search compares: another formula has other rounding errors. */
  private static double meters(Position a, Position b) {
    double squared = 0;
    for (int i = 0; i < 3; i++) {
      double difference = unitVector(a)[i] - unitVector(b)[i];
      squared += difference * difference;
    }
    return 2 * Position.EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(squared) / 2));
  }

  private static double[] unitVector(Position position) {
    double lon = Math.toRadians(position.lon());
    double lat = Math.toRadians(position.lat());
    return new double[] {
      StrictMath.cos(lat) * StrictMath.cos(lon),
      StrictMath.cos(lat) * StrictMath.sin(lon),
      StrictMath.sin(lat)
    };
  }

  @Property
  void findsTheSameAsLookingAtEveryPosition(
      @ForAll @Size(min = 1, max = 60) List<@From("positions") Position> positions,
      @ForAll("positions") Position place,
      @ForAll @IntRange(min = 1, max = 10) int count) {
    int[] found = new NearestCells(positions).nearest(place, count);

    // Compares distances, because the order of two within a rounding error does not matter.
    List<Double> distances =
        IntStream.of(found).mapToObj(i -> meters(place, positions.get(i))).toList();
    List<Double> nearest =
        positions.stream().map(position -> meters(place, position)).sorted().limit(count).toList();
    assertThat(found).doesNotHaveDuplicates();
    assertThat(distances)
        .usingElementComparator(Comparator.comparingLong(Math::round))
        .isEqualTo(nearest);
  }

  @Test
  void seesAcrossTheDateLine() {
    NearestCells cells = new NearestCells(List.of(new Position(170, 0), new Position(-179.9, 0)));

    assertThat(cells.nearest(new Position(179.9, 0), 1)).containsExactly(1);
  }

  @Test
  void ofCellsOnOneMastTheFirstIsTheNearest() {
    Position mast = new Position(-122.4, 37.8);

    assertThat(new NearestCells(List.of(mast, mast, mast)).nearest(mast, 2)).containsExactly(0, 1);
  }

  @Test
  void noCellIsRefused() {
    assertThatThrownBy(() -> new NearestCells(List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("cells: expected at least one");
  }

  @Provide
  Arbitrary<Position> positions() {
    Arbitrary<Position> anywhere =
        Combinators.combine(
                Arbitraries.doubles().between(-180, 180), Arbitraries.doubles().between(-90, 90))
            .as(Position::new);
    Arbitrary<Position> inOneTown =
        Combinators.combine(
                Arbitraries.integers().between(0, 9), Arbitraries.integers().between(0, 9))
            .as((column, row) -> new Position(-122.4 + column / 1e3, 37.7 + row / 1e3));
    return Arbitraries.oneOf(anywhere, inOneTown);
  }
}
