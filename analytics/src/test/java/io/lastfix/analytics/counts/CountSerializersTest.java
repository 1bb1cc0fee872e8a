package io.lastfix.analytics.counts;

import static io.lastfix.serialization.TestBytes.hex;
import static io.lastfix.serialization.TestBytes.roundTrip;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.WindowCount;
import org.junit.jupiter.api.Test;

/** The layouts. If a line here has to change, raise the version instead. */
class CountSerializersTest {
  @Test
  void aPartialCount() throws Exception {
    PartialCount count = new PartialCount("cell c", 20_000, 300);

    assertThat(hex(new PartialCountSerializer(), count))
        .isEqualTo("0663656c6c2063" + "c0b802" + "ac02");
    assertThat(roundTrip(new PartialCountSerializer(), count)).isEqualTo(count);
  }

  @Test
  void aCount() throws Exception {
    WindowCount count =
        new WindowCount(20_000, CountBy.CELL, "c", 300, WindowCount.State.CLOSED, 2);

    assertThat(hex(new WindowCountSerializer(), count))
        .isEqualTo("0663656c6c3a63" + "c0b802" + "ac02" + "06636c6f736564" + "02");
    assertThat(roundTrip(new WindowCountSerializer(), count)).isEqualTo(count);
  }

  @Test
  void theWindowsOfAGroup() throws Exception {
    RecentCounts counts = new RecentCounts();
    counts.add(20_000, 300);
    counts.add(10_000, 1);
    counts.nextRev(1);

    assertThat(hex(new RecentCountsSerializer(), counts))
        .isEqualTo("02" + "a09c01" + "01" + "00" + "a09c01" + "ac02" + "01");
    RecentCounts read = roundTrip(new RecentCountsSerializer(), counts);
    assertThat(read.size()).isEqualTo(2);
    assertThat(read.indexOf(20_000)).isEqualTo(1);
    assertThat(read.number(0)).isEqualTo(1);
    assertThat(read.number(1)).isEqualTo(300);
    assertThat(read.rev(1)).isEqualTo(1);
  }
}
