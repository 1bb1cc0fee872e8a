package io.lastfix.operate.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.store.history.HistoryPartition;
import java.util.List;
import org.junit.jupiter.api.Test;

class SqlTablesTest {
  private static final List<HistoryPartition> PARTITIONS =
      List.of(
          HistoryPartition.parse("history", "history_2026_10").orElseThrow(),
          HistoryPartition.parse("history", "history_2026_11_20").orElseThrow());

  private static String tables(boolean isFollowing, String... settings) {
    return SqlTables.of(LocationJobConfig.load(null, List.of(settings)), PARTITIONS, isFollowing);
  }

  @Test
  void eachPeriodIsATableAndAConstantOfTheView() {
    assertThat(tables(false))
        .contains("CREATE TABLE `history_2026_10` (")
        .contains("SELECT CAST('2026_10' AS STRING) AS in_period, `user` AS user_id")
        .contains(" UNION ALL SELECT CAST('2026_11_20' AS STRING) AS in_period");
  }

  @Test
  void withoutPeriodsTheViewIsEmpty() {
    assertThat(SqlTables.of(LocationJobConfig.load(null, List.of()), List.of(), false))
        .contains("CREATE VIEW history AS SELECT * FROM (VALUES")
        .contains("WHERE FALSE");
  }

  @Test
  void locatedExistsIfItsTopicIsConfigured() {
    assertThat(tables(false)).doesNotContain("lastfix-located");
    assertThat(tables(false, "located.topic=lastfix.located"))
        .contains("CREATE TABLE `located` (user_id STRING")
        .contains("'topic' = 'lastfix.located'");
  }

  @Test
  void queriesEndUnlessTheyFollow() {
    assertThat(tables(false))
        .contains("SET 'execution.runtime-mode' = 'batch';")
        .contains("'scan.bounded.mode' = 'latest-offset'");
    assertThat(tables(true))
        .contains("SET 'execution.runtime-mode' = 'streaming';")
        .doesNotContain("scan.bounded.mode");
  }

  @Test
  void aQuoteInASettingStaysInItsText() {
    assertThat(tables(false, "kafka.properties.sasl.jaas.config=x password='it';"))
        .contains("'properties.sasl.jaas.config' = 'x password=''it'';'");
  }
}
