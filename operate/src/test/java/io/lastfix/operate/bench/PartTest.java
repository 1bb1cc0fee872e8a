package io.lastfix.operate.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class PartTest {
  @Test
  void namesInAnyCaseAndOrderAreMeasuredInTheOrderOfTheParts() {
    assertThat(Part.of(List.of("query", "FLOOR", "query"))).containsExactly(Part.FLOOR, Part.QUERY);
  }

  @Test
  void withoutANameTheLongAndTheDemandingPartsAreLeftOut() {
    assertThat(Part.of(List.of()))
        .contains(Part.FLOOR, Part.SCALE)
        .doesNotContain(Part.TUNING, Part.LOCATED, Part.ANALYTICS, Part.CONNECT, Part.GATEWAY);
  }

  @Test
  void anUnknownNameIsRefusedWithAllThatAreKnown() {
    assertThatThrownBy(() -> Part.of(List.of("floor", "speed")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "unknown part 'speed': expected any of floor, ingest, tuning, located,"
                + " analytics, connect, stages, decoders, query, freshness, burst, memory, scale, gateway");
  }
}
