package io.lastfix.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.provision.CollectionDescription;
import io.lastfix.store.provision.UnionViewDescription;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoreTest {
  private static final Instant NOW = Instant.parse("2026-12-31T23:59:59.999Z");

  private static List<Store> stores(String... settings) {
    return Store.of(load(settings), NOW);
  }

  private static LocationJobConfig load(String... settings) {
    return LocationJobConfig.load(null, List.of(settings), name -> null);
  }

  private static List<String> names(Store store) {
    return store.collections().stream().map(CollectionDescription::name).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "MONTH, history_2026_12, history_2027_01",
    "DAY, history_2026_12_31, history_2027_01_01",
    "HOUR, history_2026_12_31_23, history_2027_01_01_00"
  })
  void aJobNeedsThePartitionOfNowAndTheNextAndLastKnownLocation(
      String period, String current, String next) {
    assertThat(stores("history.period=" + period))
        .singleElement()
        .satisfies(
            store ->
                assertThat(names(store)).containsExactly(current, next, "last_known_location"));
  }

  @ParameterizedTest
  @CsvSource({
    "last-known-location.mongo-uri=mongodb://b.example/",
    "last-known-location.database=newest"
  })
  void aServerOrADatabaseOfItsOwnMakesLastKnownLocationAStoreOfItsOwn(String setting) {
    List<Store> stores = stores("mongo.uri=mongodb://a.example/", setting);

    assertThat(stores).hasSize(2);
    assertThat(names(stores.get(0))).containsExactly("history_2026_12", "history_2027_01");
    assertThat(names(stores.get(1))).containsExactly("last_known_location");
    assertThat(stores.get(1).mongo()).isNotEqualTo(stores.get(0).mongo());
  }

  @Test
  void theViewOverHistoryIsWhereHistoryIs() {
    assertThat(stores("last-known-location.database=newest").get(0).views())
        .extracting(UnionViewDescription::name)
        .containsExactly("history");
    assertThat(stores("last-known-location.database=newest").get(1).views()).isEmpty();
    assertThat(stores("history.view=").get(0).views()).isEmpty();
  }

  @Test
  void settingsOfTheConfigurationReachTheCollections() {
    Store store =
        stores("history.shard-key=user", "last-known-location.position-index=true").get(0);

    assertThat(store.collections().get(0).shardKey()).hasToString("{user: 1, ts: 1}");
    assertThat(store.collections().get(2).indexes())
        .singleElement()
        .hasToString("{\"last.loc\": \"2dsphere\"}");
  }

  @Test
  void theRulesJobNeedsTheAlertsOfThisPeriodAndTheNext() {
    Store store = Store.ofRules(load("history.period=DAY"), NOW);

    assertThat(names(store)).containsExactly("alerts_2026_12_31", "alerts_2027_01_01");
    assertThat(store.collections().get(0).indexes())
        .hasToString("[{\"_id.at\": 1}, {\"_id.rule\": 1, \"_id.at\": 1}]");
  }

  @Test
  void alertsAreAmongTheStoresOfAllJobsIfLocatedRecordsArePublished() {
    assertThat(Store.ofAllJobs(load("located.topic=lastfix.located"), NOW))
        .singleElement()
        .satisfies(store -> assertThat(names(store)).contains("alerts_2026_12", "alerts_2027_01"));
    assertThat(Store.ofAllJobs(load(), NOW))
        .singleElement()
        .satisfies(store -> assertThat(names(store)).doesNotContain("alerts_2026_12"));
  }

  private static List<HistoryPartition> partitions(String... names) {
    return Stream.of(names)
        .map(name -> HistoryPartition.parse("history", name).orElseThrow())
        .toList();
  }

  @Test
  void partitionsThatAreThereAreLookedAtTooTheNewestFirstButForExpiredOnes() {
    List<HistoryPartition> found =
        partitions(
            "history_2020_01",
            "history_2026_10",
            "history_2026_11",
            "history_2026_12",
            "history_2027_01",
            "history_2029_01");

    assertThat(stores().get(0).older(found, NOW))
        .isEqualTo(
            partitions("history_2029_01", "history_2026_11", "history_2026_10", "history_2020_01"));
    assertThat(stores("history.retention=90 d").get(0).older(found, NOW))
        .isEqualTo(partitions("history_2029_01", "history_2026_11", "history_2026_10"));
  }

  @Test
  void onlyTheStoreThatKeepsHistoryHasOlderPartitions() {
    assertThat(stores("last-known-location.database=newest"))
        .extracting(store -> store.history() != null)
        .containsExactly(true, false);
  }
}
