package io.lastfix.store.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.Sighting;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.query.SightingSource.Row;
import io.lastfix.store.query.SightingSource.Subject;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.NoSuchElementException;
import org.bson.BsonBinary;
import org.junit.jupiter.api.Test;

class SightingCursorTest {
  private static final Subject USER = Subject.user("350000000007919");

  private final PartitionsInMemory source = new PartitionsInMemory();

  @Test
  void onlyPartitionsThatCanHoldTheRangeAreAsked() {
    storeOneADay("2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21");

    try (SightingCursor cursor =
        new SightingCursor(
            source,
            USER,
            new TimeRange(
                Instant.parse("2026-11-19T00:00:00Z"), Instant.parse("2026-11-21T00:00:00Z")),
            TimeOrder.OLDEST_FIRST)) {
      while (cursor.hasNext()) {
        cursor.next();
      }
      assertThat(source.opened()).containsExactly("history_2026_11_19", "history_2026_11_20");
    }
  }

  @Test
  void aPartitionIsAskedOnlyOnceTheReaderComesToIt() {
    storeOneADay("2026-11-18", "2026-11-19", "2026-11-20");

    try (SightingCursor cursor =
        new SightingCursor(source, USER, TimeRange.ALL, TimeOrder.NEWEST_FIRST)) {
      assertThat(source.opened()).isEmpty();
      cursor.next();
      assertThat(source.opened()).containsExactly("history_2026_11_20");
      cursor.next();
      assertThat(source.opened()).containsExactly("history_2026_11_20", "history_2026_11_19");
    }
    assertThat(source.open()).isZero();
  }

  @Test
  void aPageAfterATokenDoesNotAskPartitionsThatAreBehindIt() {
    storeOneADay("2026-11-18", "2026-11-19", "2026-11-20");
    SightingCursor first = new SightingCursor(source, USER, TimeRange.ALL, TimeOrder.OLDEST_FIRST);
    first.next();
    first.next();
    String token = first.token();
    first.close();
    source.opened().clear();

    SightingCursor rest = new SightingCursor(source, USER, PageToken.decode(token, USER));

    assertThat(rest.next().timestamp()).isEqualTo(Instant.parse("2026-11-20T12:00:00Z"));
    assertThat(source.opened()).containsExactly("history_2026_11_19", "history_2026_11_20");
    assertThat(rest.hasNext()).isFalse();
    // At the end the token keeps its position: a client may continue from there when more records
    // arrive.
    assertThat(PageToken.decode(rest.token(), USER).last().timestampMillis())
        .isEqualTo(Instant.parse("2026-11-20T12:00:00Z").toEpochMilli());
  }

  @Test
  void beforeTheFirstSightingThereIsNoToken() {
    SightingCursor cursor = new SightingCursor(source, USER, TimeRange.ALL, TimeOrder.OLDEST_FIRST);

    assertThat(cursor.hasNext()).isFalse();
    assertThatThrownBy(cursor::next).isInstanceOf(NoSuchElementException.class);
    assertThatThrownBy(cursor::token)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no sighting was returned yet");
  }

  @Test
  void aClosedCursorHasNothingOpen() {
    storeOneADay("2026-11-18", "2026-11-18", "2026-11-19");
    SightingCursor cursor = new SightingCursor(source, USER, TimeRange.ALL, TimeOrder.OLDEST_FIRST);
    cursor.next();

    cursor.close();

    assertThat(source.open()).isZero();
    assertThat(cursor.hasNext()).isFalse();
  }

  private void storeOneADay(String... days) {
    for (int i = 0; i < days.length; i++) {
      Instant noon = Instant.parse(days[i] + "T12:00:00Z");
      byte[] id = ByteBuffer.allocate(20).putLong(noon.toEpochMilli()).put(19, (byte) i).array();
      source.store(
          PartitionPeriod.DAY,
          new Row(
              new RecordPosition(noon.toEpochMilli(), new BsonBinary(id)),
              new Sighting(USER.value(), noon, "1-1-1-" + i, null)));
    }
  }
}
