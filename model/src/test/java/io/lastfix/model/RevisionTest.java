package io.lastfix.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class RevisionTest {
  /** Of few values, so that parts are often equal. */
  @Provide
  Arbitrary<Revision> revisions() {
    return Combinators.combine(
            Arbitraries.of(-1L, 0L, 1L, Revision.MAX_NUMBER),
            Arbitraries.of(-1L, 0L, 1L, Long.MAX_VALUE),
            Arbitraries.of(-1, 0, 1, Integer.MAX_VALUE))
        .as(Revision::new);
  }

  @Property
  void theNumberDecidesThenTheOffsetThenThePartition(
      @ForAll("revisions") Revision one, @ForAll("revisions") Revision other) {
    int expected = Long.compare(one.number(), other.number());
    if (expected == 0) {
      expected = Long.compare(one.offset(), other.offset());
    }
    if (expected == 0) {
      expected = Integer.compare(one.partition(), other.partition());
    }

    assertThat(Integer.signum(one.compareTo(other))).isEqualTo(expected);
  }

  @Property
  void noRevisionIsOlderThanTheOldest(@ForAll("revisions") Revision any) {
    assertThat(any).isGreaterThanOrEqualTo(Revision.OLDEST);
  }

  @Property
  void anotherNumberLeavesTheMessageAsItIs(@ForAll("revisions") Revision any) {
    assertThat(any.withNumber(7)).isEqualTo(new Revision(7, any.offset(), any.partition()));
  }

  @Test
  void aPartBelowUnknownIsRefused() {
    assertThat(List.of(new Revision(-1, -1, -1))).containsExactly(Revision.OLDEST);
    assertThatThrownBy(() -> new Revision(-2, 0, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Revision(0, -2, 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Revision(0, 0, -2)).isInstanceOf(IllegalArgumentException.class);
  }
}
