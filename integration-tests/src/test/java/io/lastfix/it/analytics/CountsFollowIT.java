package io.lastfix.it.analytics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.TestStack;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.history.PartitionPeriod;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.bson.BsonDateTime;
import org.bson.Document;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lastfix counts --follow} at the end of a pipe. */
class CountsFollowIT {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final String DATABASE = "counts_follow";

  @TempDir private static Path directory;

  private static TestStack stack;
  @AutoClose private static MongoClient mongo;

  private final AtomicLong n = new AtomicLong();

  @BeforeAll
  static void startServer() {
    stack = TestStack.sharedMongo();
    mongo = MongoClients.create(stack.mongoUri());
  }

  @Test
  void itPrintsWhatChangesAndEndsWhenNobodyReadsItAnyMore() throws Exception {
    LastfixProcess lastfix = new LastfixProcess(directory.resolve("home"), directory);
    count();
    try (LastfixProcess.Running head =
        lastfix.startBefore(
            "head -n 2",
            "counts",
            "--follow",
            "--by",
            "total",
            "--mongo-uri",
            stack.mongoUri(),
            "--set",
            "mongo.database=" + DATABASE)) {
      await("it has ended, because head has")
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(500))
          .until(
              () -> {
                count();
                return head.hasEnded();
              });
      assertThat(head.out().lines()).hasSize(2);
    }
  }

  /** One record more in a window of now. */
  private void count() {
    MongoCollection<Document> counts =
        mongo
            .getDatabase(DATABASE)
            .getCollection(
                NumberCollections.of(NumberKind.COUNTS, PartitionPeriod.MONTH)
                    .collectionAt(System.currentTimeMillis()));
    Document window =
        new Document("w", new BsonDateTime(System.currentTimeMillis() / 10_000 * 10_000))
            .append("by", "total")
            .append("k", "all");
    counts.updateOne(
        Filters.eq("_id", window),
        Updates.combine(
            Updates.set("n", n.incrementAndGet()),
            Updates.set("state", "open"),
            Updates.set("rev", n.get())),
        new UpdateOptions().upsert(true));
  }
}
