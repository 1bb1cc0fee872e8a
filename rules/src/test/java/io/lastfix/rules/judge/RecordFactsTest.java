package io.lastfix.rules.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lastfix.expressions.Name;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.PositionSource;
import io.lastfix.rules.fence.Fence;
import io.lastfix.rules.fence.FenceShape;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordFactsTest {
  private static RecordFacts facts(LocatedRecord record) {
    return new RecordFacts(record, null, List.of());
  }

  @Test
  void aRecordHasAValueOfEachName() {
    LocatedRecord record =
        TestRecord.at(0, 0)
            .source(PositionSource.MLP)
            .accuracy(12)
            .altitude(34)
            .cell(TestRecord.CELL)
            .far()
            .build();
    RecordFacts facts = new RecordFacts(record, 5.5, List.of());

    assertThat(facts.value(Name.USER)).isEqualTo("van-1");
    assertThat(facts.value(Name.CELL)).isEqualTo("310-410-7-1");
    assertThat(facts.value(Name.NETWORK)).isEqualTo("310-410");
    assertThat(facts.value(Name.SOURCE)).isEqualTo("mlp");
    assertThat(facts.value(Name.LON)).isEqualTo(-122.388);
    assertThat(facts.value(Name.LAT)).isEqualTo(37.6155);
    assertThat(facts.value(Name.ACCURACY)).isEqualTo(12.0);
    assertThat(facts.value(Name.ALTITUDE)).isEqualTo(34.0);
    assertThat(facts.value(Name.SPEED)).isEqualTo(5.5);
    assertThat(facts.value(Name.TIME)).isEqualTo(Instant.parse("2026-11-20T12:00:00Z"));
    assertThat(facts.value(Name.FAR)).isEqualTo(true);
  }

  @Test
  void whatARecordLacksIsNull() {
    RecordFacts ofDevice = facts(TestRecord.at(0, 0).build());
    RecordFacts ofCell = facts(TestRecord.at(0, 0).ofCell());

    assertThat(ofDevice.value(Name.CELL)).isNull();
    assertThat(ofDevice.value(Name.NETWORK)).isNull();
    assertThat(ofDevice.value(Name.ACCURACY)).isNull();
    assertThat(ofDevice.value(Name.ALTITUDE)).isNull();
    assertThat(ofDevice.value(Name.SPEED)).isNull();
    assertThat(ofCell.value(Name.ACCURACY)).isNull();
    assertThat(ofCell.value(Name.ALTITUDE)).isNull();
    assertThat(ofCell.value(Name.SOURCE)).isEqualTo("cell");
    assertThat(ofCell.value(Name.FAR)).isEqualTo(false);
  }

  @Test
  void functionsAreThoseOfThePosition() {
    FenceShape fence =
        new FenceShape(new Fence(TestBook.DEPOT, new Fence.Circle(TestBook.CENTER, 500)));
    RecordFacts facts = new RecordFacts(TestRecord.at(0, 100).build(), null, List.of(fence));

    assertThat(facts.metersTo(TestBook.CENTER.lon(), TestBook.CENTER.lat()))
        .isCloseTo(100, within(0.01));
    assertThat(facts.isInside(TestBook.DEPOT)).isTrue();
    assertThat(facts.isInside("sfo")).isFalse();
    // All cells of San Francisco's area begin with these digits.
    assertThat(facts.area(8)).startsWith("808").hasSizeLessThan(facts.area(12).length());
    assertThat(facts.area(30)).hasSize(16);
  }
}
