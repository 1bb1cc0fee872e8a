package io.lastfix.it.analytics;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandSucceededEvent;
import io.lastfix.it.harness.TestStack;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.counts.Recount;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.PartitionPeriod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Marking and removing numbers on a real server. */
class RecountIT {
  private static final Instant FROM = Instant.parse("2026-11-20T00:00:00Z");
  private static final Instant TO = Instant.parse("2026-11-21T00:00:00Z");
  private static final List<HistoryPartition> PARTITIONS =
      List.of(HistoryPartition.parse("history", "history_2026_11").orElseThrow());
  private static final NumberCollections COUNTS =
      NumberCollections.ofWindows("counts", PartitionPeriod.MONTH);
  private static final List<String> BY = List.of("total", "cell");

  private static TestStack stack;
  @AutoClose private static MongoClient mongo;

  private final List<Integer> changed = new CopyOnWriteArrayList<>();
  private MongoDatabase database;
  private MongoCollection<Document> counts;

  @BeforeAll
  static void startServer() {
    stack = TestStack.sharedMongo();
    mongo = MongoClients.create(stack.mongoUri());
  }

  @BeforeEach
  void useADatabaseOfItsOwn(TestInfo test) {
    database = mongo.getDatabase(test.getTestMethod().orElseThrow().getName());
    counts = database.getCollection("counts_2026_11");
  }

  /** One statement over all of them would take longer than the client waits. */
  @Test
  void noStatementTakesLongerThanTheClientWaits() {
    int documents = 100_000;
    int perWindow = 100;
    for (int first = 0; first < documents; first += 20_000) {
      counts.insertMany(
          IntStream.range(first, first + 20_000)
              .mapToObj(
                  i -> count(FROM.plusSeconds(10L * (i / perWindow)), "cell", "c" + i % perWindow))
              .toList());
    }
    try (MongoClient impatient = client(4_000)) {
      Recount recount = new Recount(impatient.getDatabase(database.getName()), COUNTS, BY);

      recount.begin(PARTITIONS, FROM, TO);

      assertThat(counts.countDocuments(Filters.regex("state", "^recount-"))).isEqualTo(documents);
      recount.end(PARTITIONS, FROM, TO);
    }
    assertThat(counts.countDocuments()).isZero();
    assertThat(changed).hasSize(40).allMatch(n -> n == 5_000);
  }

  @Test
  void onlyTheRangeAndWhatIsCountedByAreTouched() {
    Document before = count(FROM.minusMillis(1), "cell", "a");
    Document after = count(TO, "cell", "a");
    Document notCountedBy = count(FROM, "area", "a");
    List<Document> kept = List.of(before, after, notCountedBy);
    List<Document> all = new ArrayList<>(kept);
    // More of one instant than a statement may have, and single ones around it.
    for (int i = 0; i < 25; i++) {
      all.add(count(FROM.plusSeconds(10), "cell", "a" + i));
    }
    all.add(count(FROM, "total", "all"));
    all.add(count(TO.minusMillis(1), "total", "all"));
    counts.insertMany(all);
    Recount recount = new Recount(database, COUNTS, BY, 10);

    recount.begin(PARTITIONS, FROM, TO);

    assertThat(counts.countDocuments(Filters.regex("state", "^recount-"))).isEqualTo(27);
    recount.end(PARTITIONS, FROM, TO);
    assertThat(counts.find()).containsExactlyInAnyOrderElementsOf(kept);
  }

  /** The earlier one ends first, and the later one fails. */
  @Test
  void ofTwoRunsAtOnceNoneRemovesWhatTheOtherHasMarked() {
    counts.insertMany(List.of(count(FROM, "cell", "a"), count(FROM.plusSeconds(10), "cell", "a")));
    Recount earlier = new Recount(database, COUNTS, BY);
    Recount later = new Recount(database, COUNTS, BY);

    earlier.begin(PARTITIONS, FROM, TO);
    later.begin(PARTITIONS, FROM.plusSeconds(10), TO);
    earlier.end(PARTITIONS, FROM, TO);

    assertThat(counts.find())
        .as("the later one's")
        .singleElement()
        .extracting(it -> it.get("_id", Document.class).getDate("w").toInstant())
        .isEqualTo(FROM.plusSeconds(10));
    later.keep(PARTITIONS, FROM, TO, "batch");
    assertThat(counts.distinct("state", String.class)).containsExactly("batch");
  }

  /** The command can end at any time; the second run finds marks of the first one. */
  @Test
  void aSecondRunDoesTheRightThing() {
    List<Document> all =
        IntStream.range(0, 30)
            .mapToObj(i -> count(FROM.plusSeconds(10L * i), "cell", "a"))
            .toList();
    counts.insertMany(all);
    Recount first = new Recount(database, COUNTS, BY, 7);
    // As far as the first 100 s.
    first.begin(PARTITIONS, FROM, FROM.plusSeconds(100));
    Recount second = new Recount(database, COUNTS, BY, 7);

    second.begin(PARTITIONS, FROM, TO);
    assertThat(counts.countDocuments(Filters.regex("state", "^recount-"))).isEqualTo(30);
    // The count finds the first and the last again; the removal ends in the middle.
    for (Document found : List.of(all.get(0), all.get(29))) {
      var unused =
          counts.updateOne(Filters.eq("_id", found.get("_id")), Updates.set("state", "batch"));
    }
    second.end(PARTITIONS, FROM, FROM.plusSeconds(150));
    assertThat(counts.countDocuments()).isEqualTo(16);
    second.end(PARTITIONS, FROM, TO);

    assertThat(counts.distinct("state", String.class)).containsExactly("batch");
    assertThat(counts.countDocuments()).isEqualTo(2);
  }

  /** Otherwise what was counted before {@code history.period} was changed would be added. */
  @Test
  void numbersOfAnotherPeriodAreReplacedToo() {
    NumberCollections days = NumberCollections.ofWindows("counts", PartitionPeriod.DAY);
    Document before = count(FROM.minusMillis(1), "cell", "a");
    counts.insertMany(List.of(before, count(FROM, "cell", "a")));
    Recount recount = new Recount(database, days, BY);

    recount.begin(PARTITIONS, FROM, TO);
    recount.end(PARTITIONS, FROM, TO);

    assertThat(counts.find()).containsExactly(before);
  }

  @Test
  void resultsOfUsersGoByTheirBegin() {
    NumberCollections stays = NumberCollections.ofUsers("stays", PartitionPeriod.MONTH);
    MongoCollection<Document> collection = database.getCollection("stays_2026_11");
    List<Document> all =
        IntStream.range(0, 40)
            .mapToObj(
                i ->
                    new Document(
                            "_id",
                            new Document("user", "user" + (40 - i))
                                .append("by", "cell")
                                .append("begin", Date.from(FROM.plusSeconds(i))))
                        .append("state", "closed"))
            .toList();
    collection.insertMany(all);
    Recount recount = new Recount(database, stays, List.of(), 7);

    recount.begin(PARTITIONS, FROM.plusSeconds(5), FROM.plusSeconds(35));
    recount.end(PARTITIONS, FROM.plusSeconds(5), FROM.plusSeconds(35));

    List<Document> kept = new ArrayList<>(all.subList(0, 5));
    kept.addAll(all.subList(35, 40));
    assertThat(collection.find()).containsExactlyInAnyOrderElementsOf(kept);
  }

  /** A client that gives up early, and keeps how many documents each statement changed. */
  private MongoClient client(int readTimeoutMillis) {
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(stack.mongoUri()))
            .applyToSocketSettings(
                socket -> socket.readTimeout(readTimeoutMillis, TimeUnit.MILLISECONDS))
            .addCommandListener(
                new CommandListener() {
                  @Override
                  public void commandSucceeded(CommandSucceededEvent event) {
                    if (List.of("update", "delete").contains(event.getCommandName())) {
                      changed.add(event.getResponse().getInt32("n").getValue());
                    }
                  }
                })
            .build());
  }

  private static Document count(Instant window, String by, String key) {
    return new Document(
            "_id", new Document("w", Date.from(window)).append("by", by).append("k", key))
        .append("n", 5L)
        .append("state", "closed")
        .append("rev", 9L);
  }
}
