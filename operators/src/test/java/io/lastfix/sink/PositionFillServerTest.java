package io.lastfix.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.model.LocatedRecord;
import io.lastfix.sink.BulkServer.BulkException;
import io.lastfix.sink.BulkServer.BulkResult;
import io.lastfix.sink.BulkServer.BulkResult.Kind;
import io.lastfix.sink.BulkServer.BulkResult.WriteFailure;
import io.lastfix.store.history.TestRecords;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class PositionFillServerTest {
  private static final LocatedRecord OLDER = TestRecords.at(TestRecords.TIMESTAMP_MILLIS - 1);
  private static final LocatedRecord NEWER = TestRecords.RECORD;
  private static final LocatedRecord OTHER = TestRecords.ofUser("another");

  private final List<String> writes = new ArrayList<>();

  /** Answers each bulk, and notes it. */
  private final class Server implements BulkServer<LocatedRecord> {
    private final String name;
    private final Function<List<LocatedRecord>, BulkResult> answer;

    Server(String name, Function<List<LocatedRecord>, BulkResult> answer) {
      this.name = name;
      this.answer = answer;
    }

    @Override
    public BulkResult write(String collection, List<LocatedRecord> records) {
      writes.add(name + " " + collection + " " + records.size());
      return answer.apply(records);
    }

    @Override
    public void close() {
      writes.add(name + " closed");
    }
  }

  private PositionFillServer server(
      Function<List<LocatedRecord>, BulkResult> lastKnownLocation,
      Function<List<LocatedRecord>, BulkResult> history) {
    return new PositionFillServer(
        new Server("lkl", lastKnownLocation), "last", new Server("history", history));
  }

  private static BulkResult updated(List<LocatedRecord> records) {
    return new BulkResult(0, records.size(), 0, 0, List.of());
  }

  private static BulkResult failed(Kind kind) {
    return new BulkResult(0, 0, 0, 0, List.of(new WriteFailure(0, kind, 50, "too slow")));
  }

  @Test
  void lastKnownLocationIsWrittenFirstAndOncePerUser() throws Exception {
    BulkResult result =
        server(PositionFillServerTest::updated, PositionFillServerTest::updated)
            .write("history_2026_11", List.of(OLDER, NEWER, OTHER));

    assertThat(writes).containsExactly("lkl last 2", "history history_2026_11 3");
    assertThat(result).isEqualTo(new BulkResult(0, 3, 0, 0, List.of()));
  }

  @Test
  void aDocumentThatHasAPositionByNowCountsAsUnchanged() throws Exception {
    BulkResult result =
        server(PositionFillServerTest::updated, records -> new BulkResult(0, 1, 0, 0, List.of()))
            .write("history_2026_11", List.of(OLDER, NEWER));

    assertThat(result).isEqualTo(new BulkResult(0, 1, 1, 0, List.of()));
  }

  @Test
  void historyIsNotWrittenUntilLastKnownLocationIs() {
    for (Kind kind : Kind.values()) {
      PositionFillServer server = server(records -> failed(kind), PositionFillServerTest::updated);

      assertThatThrownBy(() -> server.write("history_2026_11", List.of(NEWER)))
          .isInstanceOfSatisfying(
              BulkException.class,
              failure -> assertThat(failure.isRetryable()).isEqualTo(kind != Kind.FATAL))
          .hasMessage("writing to Last Known Location failed (code 50): too slow");
    }
    assertThat(writes).containsOnly("lkl last 1");
  }

  @Test
  void bothServersAreClosed() {
    server(PositionFillServerTest::updated, PositionFillServerTest::updated).close();

    assertThat(writes).containsExactlyInAnyOrder("lkl closed", "history closed");
  }
}
