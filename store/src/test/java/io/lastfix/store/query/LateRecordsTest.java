package io.lastfix.store.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.lastfix.store.counts.NumberKind;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LateRecordsTest {
  private static final Instant T = Instant.parse("2026-11-20T12:00:00Z");
  private static final LateRecords SOME = new LateRecords(1_250, T, T.plusSeconds(7_200));

  @Test
  void theLineHasTheCommandThatAddsThem() {
    assertThat(text(NumberKind.COUNTS, T.plusSeconds(86_400)))
        .contains(
            "Up to 1,250 located records are missing in these numbers: they came too late. They are"
                + " of 2026-11-20T12:00:00Z to 2026-11-20T14:00:00Z. This adds them from History:"
                + " lastfix analyze counts --from 2026-11-20T12:00:00Z --to 2026-11-20T14:00:00Z");
    assertThat(LateRecords.NONE.text("", "", LateReach.of(NumberKind.COUNTS), T)).isEmpty();
  }

  private static Optional<String> text(NumberKind kind, Instant now) {
    return SOME.text("these numbers", kind.text(), LateReach.of(kind), now);
  }

  @Test
  void theCommandCoversAllNumbersThatTheRecordsChange() {
    Instant later = T.plusSeconds(86_400);
    assertThat(text(NumberKind.FLOWS, later).orElseThrow())
        .endsWith("lastfix analyze flows --from 2026-11-20T11:00:00Z --to 2026-11-20T15:00:00Z");
    assertThat(text(NumberKind.TRIPS, later).orElseThrow())
        .endsWith("lastfix analyze trips --from 2026-11-19T12:00:00Z --to 2026-11-20T15:00:00Z");
  }

  @Test
  void whileTheStreamRewritesNumbersTheLineSaysWhenToRunTheCommand() {
    assertThat(text(NumberKind.COUNTS, T.plusSeconds(3 * 3_600)).orElseThrow())
        .contains("From 2026-11-20T15:00:10Z on, this adds them from History: lastfix analyze");
    assertThat(text(NumberKind.COUNTS, T.plusSeconds(3 * 3_600 + 10)).orElseThrow())
        .contains(" This adds them from History: lastfix analyze");
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
    LateRecords other = new LateRecords(9, T.minusSeconds(3_600), T);

    assertThat(SOME.widest(other))
        .isEqualTo(new LateRecords(1_250, T.minusSeconds(3_600), T.plusSeconds(7_200)))
        .isEqualTo(other.widest(SOME));
    assertThat(SOME.plus(other).records()).isEqualTo(1_259);
  }
}
