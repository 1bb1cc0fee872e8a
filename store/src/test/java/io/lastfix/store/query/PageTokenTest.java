package io.lastfix.store.query;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.CellId;
import io.lastfix.store.query.SightingSource.Subject;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Base64;
import org.bson.BsonBinary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class PageTokenTest {
  private static final Subject USER = Subject.user("350000000007919");
  private static final String UNREADABLE =
      "token: it is unreadable, because it is damaged or from another release: start again without"
          + " it";
  private static final Instant MOMENT = Instant.parse("2026-11-20T12:00:01.001Z");
  private static final TimeRange RANGE =
      new TimeRange(MOMENT.minusSeconds(3600), MOMENT.plusSeconds(3600));
  private static final RecordPosition LAST =
      new RecordPosition(
          MOMENT.toEpochMilli(),
          new BsonBinary(
              ByteBuffer.allocate(20).putLong(MOMENT.toEpochMilli()).put(19, (byte) 200).array()));

  @ParameterizedTest
  @EnumSource
  void aTokenIsReadBackAsItWasWritten(TimeOrder order) {
    PageToken token = new PageToken(order, RANGE, LAST);

    assertThat(PageToken.decode(token.encode(USER), USER)).isEqualTo(token);
  }

  @Test
  void theTextOfATokenStaysTheSame() {
    // A client that stores tokens, such as a web page, may have them from an older Lastfix: a new
    // layout needs a new version.
    assertThat(token())
        .isEqualTo("AQEAAAGh-Jz_aQAAAaH5CtxpAAABofjT7ekAAAGh-NPt6QAAAAAAAAAAAAAAyD8FLhw");
  }

  @Test
  void aTokenHoldsNothingOfTheUser() {
    assertThat(new String(Base64.getUrlDecoder().decode(token()), ISO_8859_1))
        .doesNotContain(USER.value());
  }

  @Test
  void aTokenWithAnyByteChangedIsRefused() {
    byte[] bytes = Base64.getUrlDecoder().decode(token());
    for (int i = 0; i < bytes.length; i++) {
      byte[] damaged = bytes.clone();
      damaged[i] = (byte) (damaged[i] ^ 0x10);
      String text = Base64.getUrlEncoder().withoutPadding().encodeToString(damaged);
      assertThatThrownBy(() -> PageToken.decode(text, USER))
          .as("byte %d", i)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("token: ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "!", "AQ", "AQAAAZqg8Gj5AAABmqDw", "no token at all"})
  void whatIsNoTokenIsRefused(String text) {
    assertThatThrownBy(() -> PageToken.decode(text, USER))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(UNREADABLE);
  }

  @Test
  void aTokenThatWasCutOffIsRefused() {
    String token = token();

    assertThatThrownBy(() -> PageToken.decode(token.substring(0, token.length() - 4), USER))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "token: it is damaged, or from another query: repeat the query of the same user, of the"
                + " same cell or of all devices, or start again without it");
  }

  @Test
  void aTokenOfAnotherUserOrOfACellIsRefused() {
    String token = token();

    for (Subject other :
        new Subject[] {
          Subject.user("350000000000006"), Subject.cell(new CellId(234, 10, 1, 2)), Subject.ALL
        }) {
      assertThatThrownBy(() -> PageToken.decode(token, other))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("from another query");
    }
  }

  @ParameterizedTest
  @ValueSource(bytes = {2, -127})
  void aTokenOfAnotherVersionIsUnreadableAsADamagedOneIs(byte version) {
    byte[] bytes = Base64.getUrlDecoder().decode(token());
    bytes[0] = version;

    assertThatThrownBy(() -> PageToken.decode(Base64.getUrlEncoder().encodeToString(bytes), USER))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(UNREADABLE);
  }

  private static String token() {
    return new PageToken(TimeOrder.OLDEST_FIRST, RANGE, LAST).encode(USER);
  }
}
