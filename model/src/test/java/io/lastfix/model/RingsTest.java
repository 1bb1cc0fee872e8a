package io.lastfix.model;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RingsTest {
  private static List<Position> ring(int... degrees) {
    List<Position> ring = new ArrayList<>();
    for (int i = 0; i < degrees.length; i += 2) {
      ring.add(new Position(degrees[i], degrees[i + 1]));
    }
    return ring;
  }

  @Test
  void aRingIsClosedAndHasThreeCorners() {
    List<Position> triangle = ring(0, 0, 1, 0, 0, 1, 0, 0);

    assertThatCode(() -> Rings.check(List.of(triangle, triangle))).doesNotThrowAnyException();
    assertThatThrownBy(() -> Rings.check(List.of()))
        .hasMessage("expected an outline, found no ring");
    assertThatThrownBy(() -> Rings.check(List.of(triangle, ring(0, 0, 1, 0, 0, 0))))
        .hasMessage("expected rings of 4 positions or more, found a ring of 3");
    assertThatThrownBy(() -> Rings.check(List.of(ring(0, 0, 1, 0, 0, 1, 1, 1))))
        .hasMessage("expected each ring to end where it begins, found one that is open");
    assertThatThrownBy(() -> Rings.check(List.of(ring(0, 0, 1, 0, 1, 0, 0, 0))))
        .hasMessage("expected rings of 3 different positions or more, found a ring of 2");
  }
}
