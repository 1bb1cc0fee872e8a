package io.lastfix.it.analytics;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.ReplaceOptions;
import io.lastfix.it.harness.TestStack;
import io.lastfix.operate.analysis.DensityAnchors;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.counts.Recount;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.query.numbers.ResultQueries;
import io.lastfix.store.timeline.PlaceKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/**
 * Density of 11:00 to 12:00 is computed again, on a real server: it is History's within the range,
 * and the stream's outside of it.
 */
class DensityAnchorsIT {
  private static final NumberCollections DENSITY =
      NumberCollections.ofWindows("density", PartitionPeriod.MONTH);
  private static final List<HistoryPartition> PARTITIONS =
      List.of(HistoryPartition.parse("history", "history_2026_11").orElseThrow());
  private static final TimeRange RANGE = new TimeRange(at("11:00:00"), at("12:00:00"));
  private static final Instant NEXT_DAY = at("12:00:00").plus(Duration.ofDays(1));
  private static final Duration TIME_LIMIT = Duration.ofSeconds(30);

  /** Shown for a place without a document. */
  private static final String NONE = "none";

  private static TestStack stack;
  @AutoClose private static MongoClient mongo;

  private MongoDatabase database;
  private MongoCollection<Document> density;

  @BeforeAll
  static void startServer() {
    stack = TestStack.sharedMongo();
    mongo = MongoClients.create(stack.mongoUri());
  }

  @BeforeEach
  void useADatabaseOfItsOwn(TestInfo test) {
    database = mongo.getDatabase(test.getTestMethod().orElseThrow().getName());
    density = database.getCollection("density_2026_11");
  }

  /** 20 devices from 10:00 to 14:00; an outage kept them from the stream until 11:40. */
  @Test
  void theStreamsLevelHoldsOnIfTheRangeHasItsChange() {
    density.insertMany(List.of(level("11:40:00", 20), level("14:30:00", 0)));

    analyze(anchors(NEXT_DAY, 0), level("11:00:00", 20));

    assertThat(levels("10:30:00", "11:30:00", "11:50:00", "12:30:00", "13:30:00", "14:40:00"))
        .containsExactly(NONE, "20", "20", "20", "20", "0");
    // The anchor of the end repeats what History says, so it is not kept.
    assertThat(density.countDocuments()).isEqualTo(2);
  }

  /** The stream never had 5 of the 25 devices. */
  @Test
  void whatTheStreamNeverHadEndsWithTheRange() {
    density.insertMany(List.of(level("10:00:00", 20), level("14:30:00", 0)));

    analyze(anchors(NEXT_DAY, 0), level("11:00:00", 25));

    assertThat(levels("10:30:00", "11:30:00", "12:00:09", "12:00:10", "13:30:00", "14:40:00"))
        .containsExactly("20", "25", "25", "20", "20", "0");
  }

  @Test
  void aPlaceThatTheStreamNeverHadIsEmptyAfterTheRange() {
    analyze(anchors(NEXT_DAY, 0), level("11:20:00", 5));

    assertThat(levels("10:30:00", "11:10:00", "11:30:00", "12:30:00"))
        .containsExactly(NONE, NONE, "5", "0");
  }

  @Test
  void aPlaceThatHistoryDoesNotHaveIsEmptyInTheRange() {
    density.insertMany(List.of(level("10:00:00", 20), level("11:30:00", 21)));

    analyze(anchors(NEXT_DAY, 0));

    assertThat(levels("10:30:00", "11:00:10", "11:50:00", "12:30:00"))
        .containsExactly("20", "0", "0", "21");
  }

  @Test
  void aResultOfTheStreamWinsOverAnAnchor() {
    density.insertMany(List.of(level("11:40:00", 20), level("12:00:00", 30)));

    analyze(anchors(NEXT_DAY, 0), level("11:00:00", 25));

    assertThat(levels("11:50:00", "12:30:00")).containsExactly("25", "30");
    assertThat(density.find(Filters.eq("state", "closed"))).hasSize(1);
  }

  @Test
  void thePresentWindowHasNoAnchor() {
    density.insertOne(level("10:00:00", 20));

    analyze(anchors(at("12:00:05"), 0), level("11:00:00", 25));

    assertThat(levels("10:30:00", "11:30:00", "12:30:00")).containsExactly("20", "25", "25");
  }

  /** With a minimum group, nobody's number is withheld, too, and so is that of the anchors. */
  @Test
  void nobodyIsWithheldIfThereIsAMinimumGroup() {
    density.insertOne(level("10:00:00", 20));

    analyze(anchors(NEXT_DAY, 15));

    assertThat(levels("10:30:00", "11:30:00", "12:30:00")).containsExactly("20", "withheld", "20");
  }

  @Test
  void whatIsWithheldBeforeAndAfterNeedsNoAnchor() {
    Document before = withheld("10:00:00");
    density.insertOne(before);

    analyze(anchors(NEXT_DAY, 15));

    assertThat(density.find()).containsExactly(before);
  }

  /** The number that held at the end is already removed if the command is run again. */
  @Test
  void aSecondRunKeepsTheStreamsLevels() {
    density.insertOne(level("11:40:00", 20));
    anchors(NEXT_DAY, 0).begin();
    Recount first = recount();
    first.begin(PARTITIONS, RANGE.from(), RANGE.to());
    first.end(PARTITIONS, RANGE.from(), RANGE.to());

    analyze(anchors(NEXT_DAY, 0), level("11:00:00", 25));

    assertThat(levels("11:30:00", "12:30:00")).containsExactly("25", "20");
  }

  private DensityAnchors anchors(Instant now, int minimumGroup) {
    return new DensityAnchors(database, DENSITY, RANGE, now, minimumGroup, TIME_LIMIT);
  }

  private Recount recount() {
    return new Recount(database, DENSITY, List.of());
  }

  /** What the command does, with these documents for the job's. */
  private void analyze(DensityAnchors anchors, Document... results) {
    anchors.begin();
    Recount recount = recount();
    recount.begin(PARTITIONS, RANGE.from(), RANGE.to());
    for (Document result : results) {
      var unused =
          density.replaceOne(
              Filters.eq("_id", result.get("_id")),
              result.append("state", "batch"),
              new ReplaceOptions().upsert(true));
    }
    recount.end(PARTITIONS, RANGE.from(), RANGE.to());
    anchors.end();
  }

  /** What {@code lastfix density --at} shows. */
  private List<String> levels(String... times) {
    ResultQueries queries =
        new ResultQueries(database, kind -> DENSITY, QueryOptions.within(TIME_LIMIT));
    return List.of(times).stream()
        .map(time -> queries.levels(at(time), Duration.ofHours(24), PlaceKind.CELL, null))
        .map(found -> found.isEmpty() ? NONE : text(found.get(0)))
        .toList();
  }

  private static String text(Document level) {
    return level.containsKey("withheld") ? "withheld" : String.valueOf(level.getInteger("n"));
  }

  private static Document level(String window, int devices) {
    return document(window).append("n", devices).append("state", "closed");
  }

  private static Document withheld(String window) {
    return document(window).append("withheld", true).append("state", "closed");
  }

  private static Document document(String window) {
    return new Document(
        "_id",
        new Document("w", Date.from(at(window))).append("by", "cell").append("k", "310-260-7-1"));
  }

  private static Instant at(String time) {
    return Instant.parse("2026-11-20T" + time + "Z");
  }
}
