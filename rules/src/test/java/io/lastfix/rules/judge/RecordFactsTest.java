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
    return new RecordFacts(record, Double.NaN, List.of());
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

    assertThat(facts.user()).isEqualTo("van-1");
    assertThat(facts.cell()).isEqualTo("310-410-7-1");
    assertThat(facts.network()).isEqualTo("310-410");
    assertThat(facts.source()).isEqualTo("mlp");
    assertThat(facts.lon()).isEqualTo(-122.388);
    assertThat(facts.lat()).isEqualTo(37.6155);
    assertThat(facts.accuracy()).isEqualTo(12.0);
    assertThat(facts.altitude()).isEqualTo(34.0);
    assertThat(facts.speed()).isEqualTo(5.5);
    assertThat(Instant.ofEpochMilli(facts.timeMillis())).isEqualTo("2026-11-20T12:00:00Z");
    assertThat(facts.isFar()).isTrue();
    assertThat(facts.text(Name.USER)).isEqualTo("van-1");
    assertThat(facts.text(Name.CELL)).isEqualTo("310-410-7-1").isSameAs(facts.cell());
    assertThat(facts.text(Name.NETWORK)).isEqualTo("310-410").isSameAs(facts.network());
    assertThat(facts.text(Name.SOURCE)).isEqualTo("mlp");
  }

  @Test
  void whatARecordLacksIsNullOrNoNumber() {
    RecordFacts ofDevice = facts(TestRecord.at(0, 0).build());
    RecordFacts ofCell = facts(TestRecord.at(0, 0).ofCell());

    assertThat(ofDevice.cell()).isNull();
    assertThat(ofDevice.network()).isNull();
    assertThat(ofDevice.accuracy()).isNaN();
    assertThat(ofDevice.altitude()).isNaN();
    assertThat(ofDevice.speed()).isNaN();
    assertThat(ofCell.accuracy()).isNaN();
    assertThat(ofCell.altitude()).isNaN();
    assertThat(ofCell.source()).isEqualTo("cell");
    assertThat(ofCell.isFar()).isFalse();
  }

  @Test
  void functionsAreThoseOfThePosition() {
    FenceShape fence =
        new FenceShape(new Fence(TestBook.DEPOT, new Fence.Circle(TestBook.CENTER, 500)));
    RecordFacts facts = new RecordFacts(TestRecord.at(0, 100).build(), Double.NaN, List.of(fence));

    assertThat(facts.metersTo(TestBook.CENTER.lon(), TestBook.CENTER.lat()))
        .isCloseTo(100, within(0.01));
    assertThat(facts.isInside(TestBook.DEPOT)).isTrue();
    assertThat(facts.isInside("sfo")).isFalse();
    // All cells of San Francisco's area begin with these digits.
    assertThat(facts.area(8)).startsWith("808").hasSizeLessThan(facts.area(12).length());
    assertThat(facts.area(30)).hasSize(16);
  }
}
