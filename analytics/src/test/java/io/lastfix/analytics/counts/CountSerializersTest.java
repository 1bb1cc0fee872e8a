package io.lastfix.analytics.counts;

import static io.lastfix.serialization.TestBytes.hex;
import static io.lastfix.serialization.TestBytes.roundTrip;
import static io.lastfix.serialization.TestBytes.serializer;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.WindowCount;
import org.apache.flink.api.common.typeinfo.Types;
import org.junit.jupiter.api.Test;

/** The layouts of our own. If a line here has to change, raise the version instead. */
class CountSerializersTest {
  @Test
  void aPartialCount() throws Exception {
    PartialCount count = new PartialCount("cell c", 20_000, 300);

    assertThat(roundTrip(serializer(Types.POJO(PartialCount.class)), count)).isEqualTo(count);
  }

  @Test
  void aCount() throws Exception {
    WindowCount count =
        new WindowCount(20_000, CountBy.CELL, "c", 300, WindowCount.State.CLOSED, 2);

    assertThat(roundTrip(serializer(Types.POJO(WindowCount.class)), count)).isEqualTo(count);
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
