package io.lastfix.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.lastfix.it.harness.TestStack;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.sink.BulkServer.BulkException;
import io.lastfix.sink.BulkServer.BulkResult;
import io.lastfix.store.history.PartitionPeriod;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The driver repeats no write of the sinks: each error of an election or of the network reaches
 * them, as a real server sends it, and says that the bulk is to be sent again.
 */
class UnretriedWritesIT {
  /** 2026-11-20T12:00:01.001Z. */
  private static final long TIMESTAMP_MILLIS = 1_795_176_001_001L;

  private static final String PARTITION = "history_2026_11";
  private static final String LAST_KNOWN_LOCATION = "last_known_location";
  private static final CellId CELL = new CellId(234, 10, 4021, 20_911_362);
  private static final Position POSITION = new Position(-0.1276, 51.5072);

  @TempDir private static Path directory;

  @AutoClose private static TestStack stack;
  @AutoClose private static MongoClient mongo;
  private static String uri = "";

  @BeforeAll
  static void startServer() {
    stack = TestStack.startMongo(directory);
    mongo = MongoClients.create(stack.mongoUri());
    // After such an error the driver waits for the server's next heartbeat, 10 s by default.
    // A server that steps down sends one at once; this one only says that it does.
    uri = stack.mongoUri() + "&heartbeatFrequencyMS=500";
  }

  /** Of which the sink knows nothing: whether they were written or not. */
  @Test
  void aConnectionThatBreaksIsTheSinksToMend() {
    assertBothSinksSendAgain(
        "broken", new Document("closeConnection", true), List.of("MongoSocketReadException"));
  }

  @ParameterizedTest
  @ValueSource(ints = {6, 7, 89, 90, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436})
  void aBulkThatAnElectionHasStoppedIsTheSinksToSendAgain(int code) {
    assertBothSinksSendAgain(
        "stopped_" + code, new Document("errorCode", code), List.of("code " + code));
  }

  /** They are written by then, and the next primary may not have them. */
  @ParameterizedTest
  @ValueSource(ints = {6, 91, 189, 10107, 11600, 11602, 13435})
  void writesWhosePrimaryStepsDownBeforeAMajorityHasThemAreTheSinksToSendAgain(int code) {
    String database = "stepped_down_" + code;
    Document harm =
        new Document(
            "writeConcernError", new Document("code", code).append("errmsg", "stepping down"));
    try (ServerWriter history = history(database);
        ServerWriter lastKnown = ServerWriter.lastKnownLocation(uri, database)) {
      history.store(records("first", 1));
      lastKnown.store(records("first", 1));

      failNext("insert", harm);
      assertSentAgain(history, PARTITION, List.of("write concern", "code " + code));
      assertThat(history.store(records("user", 100)))
          .isEqualTo(new BulkResult(0, 0, 0, 100, List.of()));
      failNext("update", harm);
      assertSentAgain(lastKnown, LAST_KNOWN_LOCATION, List.of("write concern", "code " + code));
      assertThat(lastKnown.store(records("user", 100)))
          .isEqualTo(new BulkResult(0, 0, 100, 0, List.of()));
    }
  }

  private static void assertBothSinksSendAgain(String database, Document harm, List<String> words) {
    BulkResult allNew = new BulkResult(100, 0, 0, 0, List.of());
    try (ServerWriter history = history(database);
        ServerWriter lastKnown = ServerWriter.lastKnownLocation(uri, database)) {
      history.store(records("first", 1));
      lastKnown.store(records("first", 1));

      failNext("insert", harm);
      assertSentAgain(history, PARTITION, words);
      assertThat(history.store(records("user", 100))).isEqualTo(allNew);
      failNext("update", harm);
      assertSentAgain(lastKnown, LAST_KNOWN_LOCATION, words);
      assertThat(lastKnown.store(records("user", 100))).isEqualTo(allNew);
    }
  }

  private static void assertSentAgain(ServerWriter writer, String collection, List<String> words) {
    assertThatThrownBy(() -> writer.write(collection, records("user", 100)))
        .isInstanceOfSatisfying(BulkException.class, e -> assertThat(e.isRetryable()).isTrue())
        .message()
        .contains(words);
  }

  /** Once, and for clients of the sinks alone. */
  private static void failNext(String command, Document harm) {
    Document data = new Document("failCommands", List.of(command)).append("appName", "lastfix");
    data.putAll(harm);
    var unused =
        mongo
            .getDatabase("admin")
            .runCommand(
                new Document("configureFailPoint", "failCommand")
                    .append("mode", new Document("times", 1))
                    .append("data", data));
  }

  private static ServerWriter history(String database) {
    return ServerWriter.history(uri, database, PartitionPeriod.MONTH);
  }

  private static List<LocatedRecord> records(String user, int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                new LocatedRecord("%s-%d".formatted(user, i), CELL, TIMESTAMP_MILLIS + i, POSITION))
        .toList();
  }
}
