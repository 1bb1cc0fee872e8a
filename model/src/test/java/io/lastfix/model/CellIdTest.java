package io.lastfix.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CellIdTest {
  @Provide
  Arbitrary<CellId> cells() {
    return Combinators.combine(
            Arbitraries.integers().between(0, CellId.MAX_MCC),
            Arbitraries.integers().between(0, CellId.MAX_MNC),
            Arbitraries.integers().between(CellId.NO_AREA, CellId.MAX_AREA),
            Arbitraries.longs().between(0, CellId.MAX_CID))
        .as(CellId::new);
  }

  @Property
  void theWrittenFormIsReadBackAsTheSameCell(@ForAll("cells") CellId cell) {
    assertThat(CellId.parse(cell.toString())).isEqualTo(cell);
  }

  @Property
  void theKeyOfTheJoinIsThatOfTheCellWithoutItsArea(
      @ForAll("cells") CellId one, @ForAll("cells") CellId other) {
    boolean areSameButForTheArea =
        one.mcc() == other.mcc() && one.mnc() == other.mnc() && one.cid() == other.cid();

    assertThat(one.lookupKey() == other.lookupKey()).isEqualTo(areSameButForTheArea);
    assertThat(new CellId(one.mcc(), one.mnc(), CellId.NO_AREA, one.cid()).lookupKey())
        .isEqualTo(one.lookupKey())
        .isNotNegative();
  }

  @Property
  void theOrderIsThatOfTheNumbers(@ForAll("cells") CellId one, @ForAll("cells") CellId other) {
    String numbers = "%05d %05d %09d %012d";

    int expected =
        numbers
            .formatted(one.mcc(), one.mnc(), one.area() + 1, one.cid())
            .compareTo(numbers.formatted(other.mcc(), other.mnc(), other.area() + 1, other.cid()));

    assertThat(Integer.signum(one.compareTo(other))).isEqualTo(Integer.signum(expected));
    assertThat(one.compareTo(other) == 0).isEqualTo(one.equals(other));
  }

  @Test
  void anUnknownAreaIsLeftOutOfTheWrittenForm() {
    CellId cell = new CellId(234, 10, CellId.NO_AREA, 20_911_362);

    assertThat(cell.toString()).isEqualTo("234-10--20911362");
    assertThat(cell.hasArea()).isFalse();
  }

  @Test
  void leadingZerosAreOfNoAccount() {
    assertThat(CellId.parse("0234-010-04021-020911362"))
        .isEqualTo(new CellId(234, 10, 4021, 20_911_362));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "234",
        "234-10",
        "234-10-4021",
        "234-10-4021-",
        "-10-4021-1",
        "234--4021-1",
        "+234-10-4021-1",
        "234-10-4021-1 ",
        "234-10-4021-1-1",
        "234-10-4021-١",
        "1000-10-4021-1",
        "234-32768-4021-1",
        "234-10-16777216-1",
        "234-10-4021-68719476736",
        "234-10-4021-99999999999999999999999999"
      })
  void aTextThatIsNoCellIsRefused(String text) {
    assertThatThrownBy(() -> CellId.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 0, 0, 0, mcc",
    "0, 32768, 0, 0, mnc",
    "0, 0, -2, 0, area",
    "0, 0, 16777216, 0, area",
    "0, 0, 0, -1, cid",
    "0, 0, 0, 68719476736, cid"
  })
  void aPartOutOfItsRangeIsNamed(int mcc, int mnc, int area, long cid, String part) {
    assertThatThrownBy(() -> new CellId(mcc, mnc, area, cid))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(part + ": expected 0 to ");
  }
}
