package io.lastfix.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class TowerTest {
  private static final Position HERE = new Position(1, 2);

  @Property
  void thePositionIsThatOfTheNewestVersionThatIsNotAfterTheInstant(
      @ForAll @Size(min = 1, max = 20) Set<@LongRange(min = -50, max = 50) Long> starts,
      @ForAll @LongRange(min = -60, max = 60) long instant) {
    TreeSet<Long> ascending = new TreeSet<>(starts);
    Tower tower = new Tower(Radio.LTE, ascending.stream().map(TowerTest::from).toList());
    Long newest = ascending.floor(instant);

    assertThat(tower.versionAt(instant).position())
        .isEqualTo(from(newest == null ? ascending.first() : newest).position());
  }

  /** Each version has a position of its own. */
  private static CellVersion from(long start) {
    return new CellVersion(start, new Position(start, 0));
  }

  @Test
  void aTowerHasAVersion() {
    assertThatThrownBy(() -> new Tower(Radio.LTE, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("versions: expected at least one");
  }

  @Test
  void versionsThatDoNotAscendAreRefused() {
    CellVersion one = new CellVersion(1, HERE);
    CellVersion two = new CellVersion(2, HERE);

    assertThatThrownBy(() -> new Tower(Radio.LTE, List.of(two, one)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Tower(Radio.LTE, List.of(one, one)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aLaterChangeOfTheGivenListChangesNoTower() {
    List<CellVersion> given = new ArrayList<>(List.of(new CellVersion(1, HERE)));
    Tower tower = new Tower(Radio.LTE, given);

    given.clear();

    assertThat(tower.versions()).hasSize(1);
  }
}
