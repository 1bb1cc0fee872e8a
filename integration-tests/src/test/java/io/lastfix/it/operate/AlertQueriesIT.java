package io.lastfix.it.operate;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import io.lastfix.it.harness.TestStack;
import io.lastfix.model.alert.Alert;
import io.lastfix.store.alerts.Acknowledgement;
import io.lastfix.store.alerts.AlertConverter;
import io.lastfix.store.alerts.AlertQueries;
import io.lastfix.store.alerts.AlertQueries.Selection;
import io.lastfix.store.alerts.StoredAlert;
import io.lastfix.store.alerts.TestAlerts;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.provision.ProvisionException;
import io.lastfix.store.provision.ProvisionMode;
import io.lastfix.store.provision.Provisioner;
import io.lastfix.store.query.QueryOptions;
import io.lastfix.store.query.TimeOrder;
import io.lastfix.store.query.TimeRange;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Alerts on a real server: what is written, and what queries find. */
class AlertQueriesIT {
  private static final Duration TIME_LIMIT = Duration.ofSeconds(30);
  private static final Instant NOON = Instant.parse("2025-10-31T12:00:00Z");
  private static final Duration DAY = Duration.ofDays(1);
  private static final NumberCollections ALERTS = NumberCollections.ofAlerts(PartitionPeriod.MONTH);
  private static final Selection ALL = new Selection(null, null);

  private static TestStack stack;
  @AutoClose private static MongoClient mongo;

  private MongoDatabase database;
  private AlertQueries queries;

  @BeforeAll
  static void startServer() {
    stack = TestStack.sharedMongo();
    mongo = MongoClients.create(stack.mongoUri());
  }

  @BeforeEach
  void useADatabaseOfItsOwn(TestInfo test) {
    database = mongo.getDatabase(test.getTestMethod().orElseThrow().getName());
    queries = new AlertQueries(database, ALERTS, QueryOptions.within(TIME_LIMIT));
  }

  private MongoCollection<BsonDocument> collection(Alert alert) {
    return database.getCollection(ALERTS.collectionAt(alert.atMillis()), BsonDocument.class);
  }

  private Alert write(Alert alert) {
    collection(alert).bulkWrite(List.of(AlertConverter.upsert(alert)));
    return alert;
  }

  private void provision(Alert alert) throws ProvisionException {
    var unused =
        new Provisioner(mongo, database.getName())
            .ensure(ALERTS.description(ALERTS.collectionAt(alert.atMillis())), ProvisionMode.AUTO);
  }

  private List<Alert> read(Selection selection, TimeRange range, TimeOrder order, int limit) {
    return queries.read(selection, range, order, limit, AlertQueriesIT::fail).stream()
        .map(StoredAlert::alert)
        .toList();
  }

  private static void fail(String skipped) {
    throw new AssertionError(skipped);
  }

  @Test
  void aRepeatLeavesTheAcknowledgement() {
    write(TestAlerts.LEFT);
    Instant later = TestAlerts.AT.plusSeconds(300);
    collection(TestAlerts.LEFT)
        .updateOne(
            Filters.eq("_id", AlertConverter.id(TestAlerts.LEFT)),
            Updates.set("ack", new Document("at", Date.from(later)).append("by", "anna")));

    write(TestAlerts.LEFT);
    write(TestAlerts.FAST);

    assertThat(queries.read(ALL, TimeRange.ALL, TimeOrder.OLDEST_FIRST, 10, AlertQueriesIT::fail))
        .containsExactly(
            new StoredAlert(TestAlerts.LEFT, Optional.of(new Acknowledgement(later, "anna", null))),
            new StoredAlert(TestAlerts.FAST, Optional.empty()));
  }

  @Test
  void theyAreFoundByRuleUserAndTimeOverAllPeriodsInBothOrders() {
    Alert first = write(TestAlerts.of("anna", "left", NOON));
    Alert second = write(TestAlerts.of("ben", "left", NOON.plusSeconds(1)));
    Alert third = write(TestAlerts.of("anna", "fast", NOON.plus(DAY)));
    Alert fourth = write(TestAlerts.of("anna\0", "left", NOON.plus(DAY).plusSeconds(1)));

    assertThat(read(ALL, TimeRange.ALL, TimeOrder.OLDEST_FIRST, 10))
        .containsExactly(first, second, third, fourth);
    assertThat(read(ALL, TimeRange.ALL, TimeOrder.NEWEST_FIRST, 3))
        .containsExactly(fourth, third, second);
    assertThat(read(ALL, TimeRange.ALL, TimeOrder.OLDEST_FIRST, 2)).containsExactly(first, second);
    assertThat(
            read(
                ALL,
                new TimeRange(NOON.plusSeconds(1), NOON.plus(DAY)),
                TimeOrder.OLDEST_FIRST,
                10))
        .containsExactly(second);
    assertThat(read(new Selection("left", null), TimeRange.ALL, TimeOrder.NEWEST_FIRST, 10))
        .containsExactly(fourth, second, first);
    assertThat(read(new Selection(null, "anna"), TimeRange.ALL, TimeOrder.OLDEST_FIRST, 10))
        .containsExactly(first, third);
    assertThat(read(new Selection("fast", "ben"), TimeRange.ALL, TimeOrder.OLDEST_FIRST, 10))
        .isEmpty();
  }

  @Test
  void theLastDayEndsWithTheNewestAlertThatIsNotInTheFuture() {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    Instant newest = now.minusSeconds(60);
    assertThat(queries.range(ALL, null, null, DAY)).isEmpty();

    write(TestAlerts.of("anna", "left", NOON));
    write(TestAlerts.of("ben", "left", newest));
    write(TestAlerts.of("anna", "left", now.plus(DAY)));
    Instant end = newest.plusMillis(1);

    assertThat(queries.range(ALL, null, null, DAY)).contains(new TimeRange(end.minus(DAY), end));
    assertThat(queries.range(new Selection(null, "anna"), null, null, DAY))
        .contains(new TimeRange(NOON.minus(DAY).plusMillis(1), NOON.plusMillis(1)));
    assertThat(queries.range(ALL, null, NOON, DAY)).contains(new TimeRange(NOON.minus(DAY), NOON));
    assertThat(queries.range(ALL, NOON, null, DAY))
        .contains(new TimeRange(NOON, TimeRange.ALL.to()));
    assertThat(queries.range(ALL, null, null, null)).contains(TimeRange.ALL);
  }

  /** The newest of many are read without sorting all. */
  @Test
  void anIndexServesTheOrder() throws Exception {
    Alert alert = TestAlerts.LEFT;
    provision(alert);
    write(alert);

    Document explained =
        collection(alert)
            .find(ALERTS.between(TimeRange.ALL.from(), TimeRange.ALL.to()))
            .sort(ALERTS.byTime())
            .explain();

    assertThat(explained.toJson()).contains("IXSCAN").doesNotContain("\"SORT\"");
  }

  @Test
  void anIndexServesTheAlertsOfARule() throws Exception {
    Alert alert = TestAlerts.of("anna", "left", NOON);
    provision(alert);
    write(alert);
    for (int i = 1; i <= 20; i++) {
      write(TestAlerts.of("anna", "other", NOON.plusSeconds(i)));
    }

    Document explained =
        collection(alert)
            .find(
                Filters.and(
                    ALERTS.between(TimeRange.ALL.from(), TimeRange.ALL.to()),
                    Filters.eq("_id.rule", "left")))
            .sort(ALERTS.byTime())
            .explain();

    assertThat(
            explained.getEmbedded(List.of("queryPlanner", "winningPlan"), Document.class).toJson())
        .contains("_id.rule_1__id.at_1")
        .doesNotContain("\"SORT\"");
  }

  @Test
  void whatIsNoAlertIsSkipped_AndCounts() {
    Alert alert = write(TestAlerts.of("anna", "left", NOON));
    Alert newest = write(TestAlerts.of("ben", "left", NOON.plusSeconds(1)));
    collection(newest)
        .updateOne(Filters.eq("_id", AlertConverter.id(newest)), Updates.set("cause", "moved"));
    List<String> skipped = new ArrayList<>();

    TimeRange range = queries.range(ALL, null, null, DAY).orElseThrow();
    assertThat(queries.read(ALL, range, TimeOrder.NEWEST_FIRST, 2, skipped::add))
        .extracting(StoredAlert::alert)
        .containsExactly(alert);
    assertThat(skipped)
        .containsExactly(
            "Documents of alerts_2025_10 that are no alerts are skipped: cause: expected another"
                + " text");
    assertThat(queries.read(ALL, range, TimeOrder.NEWEST_FIRST, 1, skipped::add)).isEmpty();
  }
}
