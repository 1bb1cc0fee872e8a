package io.lastfix.it.operate;

import static com.mongodb.client.model.Filters.eq;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import io.lastfix.it.harness.TestStack;
import io.lastfix.store.alerts.AlertConverter;
import io.lastfix.store.alerts.TestAlerts;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.erasure.StoredUser;
import io.lastfix.store.erasure.UserResults;
import io.lastfix.store.history.PartitionPeriod;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What an erasure removes from both collections of a real server. */
class StoredUserIT {
  private static final Instant UNTIL = Instant.parse("2026-11-20T12:00:00Z");
  private static final String LAST_KNOWN_LOCATION = "last_known_location";
  private static final Duration ABSENCE = Duration.ofMinutes(30);
  private static final List<UserResults> OF_USERS =
      List.of(
          new UserResults(NumberCollections.ofUsers("stays", PartitionPeriod.MONTH), Duration.ZERO),
          new UserResults(NumberCollections.ofUsers("trips", PartitionPeriod.MONTH), ABSENCE),
          UserResults.ofAlerts(NumberCollections.ofAlerts(PartitionPeriod.MONTH)));
  private static final String DEVICES = "devices";

  private static TestStack stack;
  @AutoClose private static MongoClient mongo;

  @BeforeAll
  static void startServer() {
    stack = TestStack.sharedMongo();
    mongo = MongoClients.create(stack.mongoUri());
  }

  @Test
  void aFixFromBeforeTheErasureGoesAlthoughANewerTowerKeepsTheDocument() {
    MongoDatabase database = mongo.getDatabase("erasure");
    MongoCollection<Document> lastKnown = database.getCollection(LAST_KNOWN_LOCATION);
    Document newer = at(UNTIL.plusSeconds(5));
    lastKnown.insertMany(
        List.of(
            new Document("_id", "gone").append("fix", null).append("last", at(UNTIL)),
            new Document("_id", "stays").append("fix", at(UNTIL)).append("last", newer),
            new Document("_id", "all-new").append("fix", newer).append("last", newer)));
    StoredUser user = user(database);
    List<String> names = List.of("gone", "stays", "all-new");

    assertThat(user.count(names, UNTIL)).isEqualTo(Map.of(LAST_KNOWN_LOCATION, 2L));
    assertThat(user.delete(names, UNTIL)).isEqualTo(Map.of(LAST_KNOWN_LOCATION, 2L));

    assertThat(user.count(names, UNTIL)).isEmpty();
    assertThat(lastKnown.find(eq("_id", "gone")).first()).isNull();
    assertThat(lastKnown.find(eq("_id", "stays")).first())
        .isEqualTo(new Document("_id", "stays").append("fix", null).append("last", newer));
    assertThat(lastKnown.find(eq("_id", "all-new")).first())
        .isEqualTo(new Document("_id", "all-new").append("fix", newer).append("last", newer));
  }

  @Test
  void aDevicesPresenceGoesUnlessItGaveASignOfLifeLater() {
    MongoDatabase database = mongo.getDatabase("devices_erasure");
    database
        .getCollection(DEVICES)
        .insertMany(
            List.of(
                new Document("_id", "gone").append("seen", Date.from(UNTIL)),
                new Document("_id", "later").append("seen", Date.from(UNTIL.plusMillis(1))),
                new Document("_id", "other").append("seen", Date.from(UNTIL))));
    StoredUser user = user(database);
    List<String> names = List.of("gone", "later");

    assertThat(user.count(names, UNTIL)).isEqualTo(Map.of(DEVICES, 1L));
    assertThat(user.delete(names, UNTIL)).isEqualTo(Map.of(DEVICES, 1L));

    assertThat(user.count(names, UNTIL)).isEmpty();
    assertThat(database.getCollection(DEVICES).distinct("_id", String.class))
        .containsExactlyInAnyOrder("later", "other");
  }

  /** One that begins before the instant and ends after it goes, too. */
  @Test
  void staysAndTripsGoByTheirBegin() {
    MongoDatabase database = mongo.getDatabase("stays_erasure");
    database
        .getCollection("stays_2026_11")
        .insertMany(
            List.of(
                stay("gone", UNTIL.minusSeconds(60)),
                stay("gone", UNTIL),
                stay("gone", UNTIL.plusMillis(1)),
                // Names around it in the order of texts.
                stay("gone\0", UNTIL),
                stay("gone1", UNTIL),
                stay("gon", UNTIL)));
    // A trip within the time of absence begins at a place of the erased time.
    database
        .getCollection("trips_2026_11")
        .insertMany(
            List.of(
                stay("gone", UNTIL),
                stay("gone", UNTIL.plus(ABSENCE)),
                stay("gone", UNTIL.plus(ABSENCE).plusMillis(1)),
                stay("gone1", UNTIL.plus(ABSENCE))));
    StoredUser user = user(database);
    List<String> names = List.of("gone");
    Map<String, Long> expected = Map.of("stays_2026_11", 2L, "trips_2026_11", 2L);

    assertThat(user.count(names, UNTIL)).isEqualTo(expected);
    assertThat(user.delete(names, UNTIL)).isEqualTo(expected);

    assertThat(user.count(names, UNTIL)).isEmpty();
    assertThat(database.getCollection("stays_2026_11").distinct("_id.user", String.class))
        .containsExactlyInAnyOrder("gone", "gone\0", "gone1", "gon");
    assertThat(database.getCollection("trips_2026_11").countDocuments()).isEqualTo(2);
  }

  @Test
  void alertsGoByTheInstantAtWhichTheyBegan() {
    MongoDatabase database = mongo.getDatabase("alerts_erasure");
    MongoCollection<BsonDocument> alerts =
        database.getCollection("alerts_2026_11", BsonDocument.class);
    alerts.bulkWrite(
        Stream.of(
                TestAlerts.of("gone", "left-airport", UNTIL.minusSeconds(60)),
                TestAlerts.of("gone", "left-airport", UNTIL),
                TestAlerts.of("gone", "left-depot", UNTIL),
                TestAlerts.of("gone", "left-airport", UNTIL.plusMillis(1)),
                // The clock of the operator who moved the fence was ahead.
                TestAlerts.ofChangedFence("gone", "left-airport", UNTIL.plusSeconds(3_600)),
                TestAlerts.ofChangedFence("gone1", "left-depot", UNTIL.plusSeconds(3_600)),
                TestAlerts.of("gone1", "left-airport", UNTIL))
            .map(AlertConverter::upsert)
            .toList());
    StoredUser user = user(database);
    List<String> names = List.of("gone");
    Map<String, Long> expected = Map.of("alerts_2026_11", 4L);

    assertThat(user.count(names, UNTIL)).isEqualTo(expected);
    assertThat(user.delete(names, UNTIL)).isEqualTo(expected);

    assertThat(user.count(names, UNTIL)).isEmpty();
    assertThat(alerts.find())
        .extracting(AlertConverter::read)
        .containsExactlyInAnyOrder(
            TestAlerts.of("gone", "left-airport", UNTIL.plusMillis(1)),
            TestAlerts.ofChangedFence("gone1", "left-depot", UNTIL.plusSeconds(3_600)),
            TestAlerts.of("gone1", "left-airport", UNTIL));
  }

  private static Document stay(String user, Instant begin) {
    return new Document(
        "_id", new Document("user", user).append("by", "cell").append("begin", Date.from(begin)));
  }

  private static StoredUser user(MongoDatabase database) {
    return new StoredUser(
        database,
        "history",
        database,
        LAST_KNOWN_LOCATION,
        DEVICES,
        OF_USERS,
        Duration.ofSeconds(30));
  }

  private static Document at(Instant ts) {
    return new Document("ts", Date.from(ts)).append("cell", "234-10-4021-20911362");
  }
}
