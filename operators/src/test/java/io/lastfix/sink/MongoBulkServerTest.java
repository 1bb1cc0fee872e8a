package io.lastfix.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.ServerAddress;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.bulk.BulkWriteUpsert;
import com.mongodb.bulk.WriteConcernError;
import com.mongodb.client.model.InsertOneModel;
import io.lastfix.sink.BulkServer.BulkException;
import io.lastfix.sink.BulkServer.BulkResult;
import io.lastfix.sink.BulkServer.BulkResult.Kind;
import io.lastfix.sink.BulkServer.BulkResult.WriteFailure;
import io.lastfix.sink.MongoBulkServer.DuplicateKeys;
import io.lastfix.store.connect.ServerMessages;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the server's class reads the driver's exception for a bulk that failed in part. */
class MongoBulkServerTest {
  private static final String DUPLICATE_ID = duplicate("_id_", "{ _id: BinData(0, 00) }");
  private static final BulkWriteError DUPLICATE = error(0, 11_000, DUPLICATE_ID);
  private static final BulkWriteError CONFLICT = error(1, 112, "WriteConflict");
  private static final BulkWriteError INVALID = error(2, 121, "Document failed validation");
  private static final WriteConcernError TOO_LATE =
      new WriteConcernError(64, "WriteConcernTimeout", "waiting timed out", new BsonDocument());
  private static final WriteConcernError INTERRUPTED =
      new WriteConcernError(
          11_602, "InterruptedDueToReplStateChange", "stepping down", new BsonDocument());
  private static final WriteConcernError IMPOSSIBLE =
      new WriteConcernError(
          100, "UnsatisfiableWriteConcern", "not enough members", new BsonDocument());

  /** Counts of the successful writes: 2 + 1 new, 3 changed, 1 deleted, 1 stale. */
  private static final BulkWriteResult WENT_THROUGH =
      BulkWriteResult.acknowledged(
          2, 4, 1, 3, List.of(new BulkWriteUpsert(7, new BsonString("someone"))), List.of());

  private static String duplicate(String index, String key) {
    return "E11000 duplicate key error collection: lastfix.history_2026_11 index: %s dup key: %s"
        .formatted(index, key);
  }

  private static BulkWriteError error(int index, int code, String message) {
    return new BulkWriteError(code, message, new BsonDocument(), index);
  }

  private static BulkResult read(
      DuplicateKeys duplicateKeys, @Nullable WriteConcernError unmet, BulkWriteError... errors)
      throws BulkException {
    return MongoBulkServer.someFailed(
        new MongoBulkWriteException(
            WENT_THROUGH, List.of(errors), unmet, new ServerAddress("db1"), Set.of()),
        // One of them is a deletion that found nothing.
        9 + errors.length,
        duplicateKeys);
  }

  static Stream<Arguments> mixtures() {
    WriteFailure conflict = new WriteFailure(1, Kind.RETRY_LATER, 112, "WriteConflict");
    WriteFailure invalid = new WriteFailure(2, Kind.FATAL, 121, "Document failed validation");
    WriteFailure lostRace =
        new WriteFailure(
            0, Kind.RETRY_AT_ONCE, 11_000, ServerMessages.withoutContents(DUPLICATE_ID));
    return Stream.of(
        Arguments.of(DuplicateKeys.ARE_STORED, List.of(DUPLICATE), 1, List.of()),
        Arguments.of(DuplicateKeys.LOST_A_RACE, List.of(DUPLICATE), 0, List.of(lostRace)),
        Arguments.of(DuplicateKeys.ARE_STORED, List.of(CONFLICT), 0, List.of(conflict)),
        Arguments.of(DuplicateKeys.ARE_STORED, List.of(INVALID), 0, List.of(invalid)),
        Arguments.of(
            DuplicateKeys.ARE_STORED,
            List.of(DUPLICATE, CONFLICT, INVALID),
            1,
            List.of(conflict, invalid)),
        Arguments.of(
            DuplicateKeys.LOST_A_RACE,
            List.of(DUPLICATE, CONFLICT, INVALID),
            0,
            List.of(lostRace, conflict, invalid)));
  }

  @ParameterizedTest
  @MethodSource("mixtures")
  void eachWriteThatFailedIsReadByItselfAndTheOthersCount(
      DuplicateKeys duplicateKeys,
      List<BulkWriteError> errors,
      int duplicates,
      List<WriteFailure> failures)
      throws Exception {
    assertThat(read(duplicateKeys, null, errors.toArray(BulkWriteError[]::new)))
        .isEqualTo(new BulkResult(3, 4, 2, duplicates, failures));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "E11000 duplicate key error collection: lastfix.h index: user_1 dup key: { user: \"a\" }",
        "E11000 duplicate key error collection: lastfix.h index: x_id_ dup key: { x: 1 }",
        "E11000 duplicate key error collection: lastfix.h index: user_1 dup key:"
            + " { user: \" index: _id_ dup key: \" }",
        "E11000 duplicate key error"
      })
  void aDuplicateOnAnotherIndexFailsTheJobWhateverItsValueSays(String message) throws Exception {
    for (DuplicateKeys duplicateKeys : DuplicateKeys.values()) {
      BulkResult result = read(duplicateKeys, null, error(0, 11_000, message));

      assertThat(result.duplicates()).isZero();
      assertThat(result.failures()).extracting(WriteFailure::kind).containsExactly(Kind.FATAL);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "E11000 duplicate key error collection: lastfix.h index: _id_ dup key: { : \"a\" }",
        "E11000 duplicate key error collection: lastfix.h index: _id_ collation: {} dup key: { }"
      })
  void aDuplicateOnTheIndexOfIdIsKnownInEveryWordingOfTheServers(String message) throws Exception {
    assertThat(read(DuplicateKeys.ARE_STORED, null, error(0, 11_000, message)).duplicates())
        .isEqualTo(1);
  }

  @Test
  void otherErrorsThatQuoteSuchAMessageAreNoDuplicates() throws Exception {
    BulkResult result = read(DuplicateKeys.ARE_STORED, null, error(0, 8, DUPLICATE_ID));

    assertThat(result.failures()).extracting(WriteFailure::kind).containsExactly(Kind.FATAL);
  }

  @Test
  void contentsOfDocumentsStayOutOfTheWords() throws Exception {
    BulkResult result =
        read(
            DuplicateKeys.ARE_STORED,
            null,
            error(0, 11_000, duplicate("user_1", "{ user: \"secret\" }")));

    assertThat(result.failures())
        .extracting(WriteFailure::message)
        .containsExactly(duplicate("user_1", "{…}"));
  }

  @Test
  void aWriteConcernThatAnElectionInterruptedSendsTheWholeBulkAgain() {
    assertThatThrownBy(() -> read(DuplicateKeys.ARE_STORED, INTERRUPTED))
        .isInstanceOfSatisfying(BulkException.class, e -> assertThat(e.isRetryable()).isTrue())
        .hasMessage("write concern not met (code 11602): stepping down");
    assertThatThrownBy(() -> read(DuplicateKeys.ARE_STORED, INTERRUPTED, DUPLICATE, CONFLICT))
        .isInstanceOfSatisfying(BulkException.class, e -> assertThat(e.isRetryable()).isTrue());
  }

  @Test
  void aWriteConcernThatOnlyTakesLongerLeavesEachWriteAsItIs() throws Exception {
    BulkResult result = read(DuplicateKeys.ARE_STORED, TOO_LATE, DUPLICATE, CONFLICT);

    assertThat(result.duplicates()).isEqualTo(1);
    assertThat(result.failures()).extracting(WriteFailure::kind).containsExactly(Kind.RETRY_LATER);
  }

  @Test
  void aBulkThatFailsTheJobCompletesNoStoredDocument() throws Exception {
    FakeMongo mongo = new FakeMongo();
    mongo.on(
        "bulkWrite",
        () -> {
          throw new MongoBulkWriteException(
              WENT_THROUGH, List.of(DUPLICATE, INVALID), null, new ServerAddress("db1"), Set.of());
        });
    MongoBulkServer<String> server =
        new MongoBulkServer<>(
            mongo.client,
            mongo.database,
            collection -> {},
            record -> new InsertOneModel<>(new BsonDocument()),
            DuplicateKeys.ARE_STORED,
            record -> {
              throw new AssertionError("completed");
            },
            Duration.ofSeconds(1));

    BulkResult result = server.write("history_2026_11", List.of("a", "b", "c"));

    assertThat(result.failures()).extracting(WriteFailure::kind).containsExactly(Kind.FATAL);
  }

  @Test
  void aWriteConcernThatCanNeverBeMetFailsTheJob() {
    assertThatThrownBy(() -> read(DuplicateKeys.ARE_STORED, IMPOSSIBLE, DUPLICATE))
        .isInstanceOfSatisfying(BulkException.class, e -> assertThat(e.isRetryable()).isFalse())
        .hasMessage("write concern not met (code 100): not enough members");
  }

  @Test
  void aWriteThatFailsTheJobIsNotHiddenByAnUnmetWriteConcern() throws Exception {
    assertThat(read(DuplicateKeys.ARE_STORED, TOO_LATE, CONFLICT, INVALID).failures())
        .extracting(WriteFailure::kind)
        .containsExactly(Kind.RETRY_LATER, Kind.FATAL);
  }

  /**
   * A router returns this for each write that a shard has not confirmed. The code is 6 if the
   * primary steps down or shuts down, otherwise the error's own.
   */
  @ParameterizedTest
  @ValueSource(ints = {6, 7, 89, 90, 91, 133, 189, 202, 9001, 10107, 11600, 11602, 13388, 13435})
  void writesThatAnElectionHasStoppedAreSentAgainAndTheOthersCount(int code) throws Exception {
    for (DuplicateKeys duplicateKeys : DuplicateKeys.values()) {
      assertThat(read(duplicateKeys, null, error(0, code, "words"), error(3, code, "words")))
          .isEqualTo(
              new BulkResult(
                  3,
                  4,
                  2,
                  0,
                  List.of(
                      new WriteFailure(0, Kind.RETRY_LATER, code, "words"),
                      new WriteFailure(3, Kind.RETRY_LATER, code, "words"))));
    }
  }

  /** The next primary may lack the writes, so waiting for the majority cannot help. */
  @ParameterizedTest
  @ValueSource(ints = {6, 91, 189, 10107, 11600, 11602, 13435, 13436})
  void writesWhosePrimaryStepsDownBeforeAMajorityHasThemAreAllSentAgain(int code) {
    assertThatThrownBy(
            () ->
                read(
                    DuplicateKeys.ARE_STORED,
                    new WriteConcernError(code, "Some", "words", new BsonDocument())))
        .isInstanceOfSatisfying(BulkException.class, e -> assertThat(e.isRetryable()).isTrue());
  }
}
