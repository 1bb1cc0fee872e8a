package io.lastfix.notify.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProgressTest {
  private static SortedSet<Long> open(long... offsets) {
    SortedSet<Long> open = new TreeSet<>();
    for (long offset : offsets) {
      open.add(offset);
    }
    return open;
  }

  @Test
  void aPartitionWithoutOpenOffsetsIsCommittedAsAnyOther() {
    assertThat(new Progress(7, open()).commit()).isEqualTo(new OffsetAndMetadata(7));
  }

  @Test
  void theFirstOpenOffsetIsCommitted_AndTheOthersStandBesideIt() {
    assertThat(new Progress(120, open(100, 101, 103, 110, 111, 112)).commit())
        .isEqualTo(new OffsetAndMetadata(100, "1;20;0-1,3,10-12,"));
  }

  @Property(tries = 500)
  void whatIsCommittedIsReadAgain(
      @ForAll @Size(max = 200) Set<@LongRange(min = 0, max = 999) Long> offsets,
      @ForAll @LongRange(min = 1_000, max = 2_000) long next) {
    Progress progress = new Progress(next, new TreeSet<>(offsets));

    assertThat(Progress.of(progress.commit())).isEqualTo(progress);
  }

  @Test
  void ifTheTextWouldBeTooLong_LaterOffsetsCountAsUnfinished() {
    SortedSet<Long> open = new TreeSet<>();
    for (long offset = 0; offset < 4_000; offset += 2) {
      open.add(offset);
    }

    OffsetAndMetadata commit = new Progress(4_000, open).commit();

    assertThat(commit.metadata().length()).isLessThan(4_096);
    Progress read = Progress.of(commit);
    assertThat(read.next()).isBetween(500L, 3_999L);
    assertThat(read.open()).isEqualTo(open.headSet(read.next()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "of another program",
        "2;20;0-1,",
        "1;20;,,,",
        "1;3;0-3,",
        "1;999999999999999999;0-999999999999999998,",
        "1;20;5-1,"
      })
  void anotherTextSaysThatAllBelowTheOffsetIsDone(String text) {
    assertThat(Progress.of(new OffsetAndMetadata(100, text))).isEqualTo(new Progress(100, open()));
  }
}
