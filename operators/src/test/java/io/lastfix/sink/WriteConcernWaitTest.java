package io.lastfix.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoWriteConcernException;
import com.mongodb.ServerAddress;
import com.mongodb.bulk.WriteConcernError;
import com.mongodb.client.result.UpdateResult;
import io.lastfix.sink.BulkServer.BulkException;
import java.time.Duration;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonObjectId;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a bulk is safe that the other members have received late. */
class WriteConcernWaitTest {
  private static final ObjectId TERM = new ObjectId("7fffffff0000000000000001");
  private static final ObjectId NEXT_TERM = new ObjectId("7fffffff0000000000000002");
  private static final String UNMET = "write concern not met (code 64): waiting timed out";

  private final FakeMongo mongo = new FakeMongo();
  private int updates;

  /** The members need that number of updates until they have the writes. */
  private void metAfter(int unmet, int code) {
    mongo.on(
        "updateMany",
        () -> {
          if (updates++ < unmet) {
            throw new MongoWriteConcernException(
                new WriteConcernError(code, "Some", "words", new BsonDocument()),
                null,
                new ServerAddress("db1"),
                Set.of());
          }
          return UpdateResult.acknowledged(0, 0L, null);
        });
  }

  private void primaryIsIn(@Nullable ObjectId term) {
    mongo.on(
        "runCommand",
        () ->
            term == null
                ? new BsonDocument()
                : new BsonDocument("electionId", new BsonObjectId(term)));
  }

  private void await(@Nullable ObjectId term, Duration limit) throws BulkException {
    new WriteConcernWait(mongo.client, mongo.database, limit).await(mongo.collection, term, UNMET);
  }

  @Test
  void inTheSameTermTheBulkIsSafeOnceTheMembersHaveIt() throws Exception {
    metAfter(3, 64);
    primaryIsIn(TERM);

    await(TERM, Duration.ofMinutes(1));

    assertThat(updates).isEqualTo(4);
  }

  @Test
  void afterAnElectionTheBulkIsWrittenOnceMore() {
    metAfter(0, 64);
    primaryIsIn(NEXT_TERM);

    assertThatThrownBy(() -> await(TERM, Duration.ofMinutes(1)))
        .isInstanceOfSatisfying(BulkException.class, e -> assertThat(e.isRetryable()).isTrue())
        .hasMessage(UNMET + "; it is met now, but another member may have become primary");
  }

  @Test
  void whereTheTermIsUnknownTheBulkIsWrittenOnceMore() {
    metAfter(0, 64);
    primaryIsIn(null);

    assertThatThrownBy(() -> await(null, Duration.ofMinutes(1)))
        .isInstanceOfSatisfying(BulkException.class, e -> assertThat(e.isRetryable()).isTrue());
    assertThatThrownBy(() -> await(TERM, Duration.ofMinutes(1)))
        .isInstanceOfSatisfying(BulkException.class, e -> assertThat(e.isRetryable()).isTrue());
  }

  @Test
  void afterTheLimitTheBulkIsSentAgain() {
    metAfter(Integer.MAX_VALUE, 64);

    assertThatThrownBy(() -> await(TERM, Duration.ZERO))
        .isInstanceOfSatisfying(BulkException.class, e -> assertThat(e.isRetryable()).isTrue())
        .hasMessage(UNMET);
  }

  @Test
  void anotherErrorThanLatenessEndsTheWait() {
    metAfter(1, 11_602);

    assertThatThrownBy(() -> await(TERM, Duration.ofMinutes(1)))
        .isInstanceOf(MongoWriteConcernException.class);
    assertThat(updates).isEqualTo(1);
  }

  /** A router sends an equality on the hashed shard key to one shard. */
  @Test
  void theFilterIsARangeOfIds() {
    assertThat(WriteConcernWait.NOTHING).isEqualTo(BsonDocument.parse("{_id: {$lt: true}}"));
  }
}
