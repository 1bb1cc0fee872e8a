package io.lastfix.store.query.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LateRecordsTest {
  private static final Instant T = Instant.parse("2026-11-20T12:00:00Z");
  private static final LateRecords SOME =
      new LateRecords(1_250, T, T.plusSeconds(7_200), T.plusSeconds(9_000));

  @Test
  void theLineHasTheCommandThatAddsThem() {
    assertThat(SOME.text("these numbers"))
        .contains(
            "Up to 1,250 located records are missing in these numbers: they came too late. They are"
                + " of 2026-11-20T12:00:00Z to 2026-11-20T14:00:00Z. lastfix supervise adds them"
                + " from History; so does lastfix analyze late");
    assertThat(LateRecords.NONE.text("these numbers")).isEmpty();
  }

  @Test
  void jsonHasTheTimeOnlyIfThereAreSome() {
    assertThat(SOME.addTo(JsonNodeFactory.instance.objectNode()).toString())
        .isEqualTo(
            "{\"tooLate\":1250,\"tooLateFrom\":\"2026-11-20T12:00:00Z\","
                + "\"tooLateTo\":\"2026-11-20T14:00:00Z\"}");
    assertThat(LateRecords.NONE.addTo(JsonNodeFactory.instance.objectNode()).toString())
        .isEqualTo("{\"tooLate\":0}");
  }

  @Test
  void ofTwoKindsOfNumbersTheGreaterNumberAndBothTimesCount() {
    LateRecords other = new LateRecords(9, T.minusSeconds(3_600), T, T.plusSeconds(8_000));

    assertThat(SOME.widest(other))
        .isEqualTo(
            new LateRecords(
                1_250, T.minusSeconds(3_600), T.plusSeconds(7_200), T.plusSeconds(8_000)))
        .isEqualTo(other.widest(SOME));
    assertThat(SOME.plus(other).records()).isEqualTo(1_259);
  }
}
