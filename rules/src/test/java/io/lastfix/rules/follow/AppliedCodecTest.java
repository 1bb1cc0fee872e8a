package io.lastfix.rules.follow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AppliedCodecTest {
  private static final Applied APPLIED =
      new Applied("5d1c", 1, 2, 3, 42, Instant.parse("2026-11-20T12:00:00.250Z"));

  private static final String JSON =
      "{\"job\":\"5d1c\",\"subtask\":1,\"of\":2,\"attempt\":3,\"offset\":42,\"at\":\"2026-11-20T12:00:00.250Z\"}";

  @Test
  void aMessageIsText() {
    assertThat(AppliedCodec.key(APPLIED)).asString(UTF_8).isEqualTo("5d1c/1");
    assertThat(AppliedCodec.value(APPLIED)).asString(UTF_8).isEqualTo(JSON);
    assertThat(AppliedCodec.read(JSON.getBytes(UTF_8))).contains(APPLIED);
  }

  @Test
  void unknownMembersAreSkipped() {
    assertThat(AppliedCodec.read(JSON.replace("{", "{\"later\":1,").getBytes(UTF_8)))
        .contains(APPLIED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "{}",
        "{\"job\":1,\"subtask\":1,\"of\":2,\"attempt\":3,\"offset\":42,\"at\":\"2026-11-20T12:00:00Z\"}",
        "{\"job\":\"a\",\"subtask\":2,\"of\":2,\"attempt\":3,\"offset\":42,\"at\":\"2026-11-20T12:00:00Z\"}",
        "{\"job\":\"a\",\"subtask\":1,\"of\":99999,\"attempt\":3,\"offset\":42,\"at\":\"2026-11-20T12:00:00Z\"}",
        "{\"job\":\"a\",\"subtask\":1,\"of\":2,\"attempt\":3,\"offset\":1e30,\"at\":\"2026-11-20T12:00:00Z\"}",
        "{\"job\":\"a\",\"subtask\":1,\"of\":2,\"attempt\":3,\"offset\":42,\"at\":\"noon\"}",
        "{\"job\":\"a\",\"subtask\":1,\"of\":2,\"attempt\":3,\"offset\":42}",
        "{\"job\":\"a\",\"subtask\":1,\"of\":2,\"offset\":42,\"at\":\"2026-11-20T12:00:00Z\"}"
      })
  void whatIsNoneIsLeftOut(String value) {
    assertThat(AppliedCodec.read(value.getBytes(UTF_8))).isEmpty();
  }

  @Test
  void aValueThatIsTooLargeOrAbsentIsLeftOut() {
    String large = JSON.replace("5d1c", "5".repeat(5_000));

    assertThat(AppliedCodec.read(large.getBytes(UTF_8))).isEmpty();
    assertThat(AppliedCodec.read(null)).isEmpty();
  }

  @Test
  void ofTwoMessagesOfASubtaskThatOfTheNewerAttemptCounts() {
    Applied restarted = new Applied("5d1c", 1, 2, 4, 41, APPLIED.at());
    Applied later = new Applied("5d1c", 1, 2, 3, 43, APPLIED.at().plusSeconds(10));

    assertThat(APPLIED.or(restarted)).isEqualTo(restarted);
    assertThat(restarted.or(later)).isEqualTo(restarted);
    assertThat(APPLIED.or(later)).isEqualTo(later);
  }

  @Test
  void aSubtaskIsOneOfThem() {
    assertThatThrownBy(() -> new Applied("a", 2, 2, 0, 0, Instant.EPOCH))
        .hasMessage("expected a subtask and an offset, found subtask 2 of 2, offset 0");
  }
}
