package io.lastfix.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.ServerAddress;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.config.OnOtherPeriod;
import io.lastfix.store.erasure.ErasureListUnreadableException;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.provision.CollectionPlan;
import io.lastfix.store.provision.Difference;
import io.lastfix.store.provision.ProvisionException;
import io.lastfix.store.provision.ProvisionMode;
import io.lastfix.store.provision.Step.CreateCollection;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

/** The submission's check of existing partitions, and of an unreadable erasure list. */
class StoreCheckTest {
  private static final String NAMESPACE = "lastfix.history_2026_10";
  private static final CollectionPlan DISAGREES =
      new CollectionPlan(
          NAMESPACE,
          List.of(),
          List.of(new Difference("shard key", "{user: \"hashed\"}", "none", "shard it")));
  private static final CollectionPlan LACKS_SOMETHING =
      new CollectionPlan(
          NAMESPACE, List.of(new CreateCollection("lastfix", "history_2026_10")), List.of());

  private static MongoCommandException unauthorized() {
    return new MongoCommandException(
        BsonDocument.parse("{ok: 0, code: 13, errmsg: 'not authorized'}"), new ServerAddress());
  }

  private static boolean isRefused(ProvisionMode mode, CollectionPlan plan) {
    return new StoreCheck(mode, OnOtherPeriod.FAIL, Instant.EPOCH).isRefused(plan);
  }

  @Test
  void oneThatDisagreesIsRefusedInBothModes() {
    assertThat(isRefused(ProvisionMode.AUTO, DISAGREES)).isTrue();
    assertThat(isRefused(ProvisionMode.CHECK, DISAGREES)).isTrue();
  }

  @Test
  void oneThatLacksSomethingIsRefusedOnlyWhereTheJobDoesNotMakeIt() {
    assertThat(isRefused(ProvisionMode.AUTO, LACKS_SOMETHING)).isFalse();
    assertThat(isRefused(ProvisionMode.CHECK, LACKS_SOMETHING)).isTrue();
  }

  @Test
  void partitionsOfAnotherPeriodAreTold() {
    HistoryOptions byMonth = historyOf("MONTH");

    assertThat(
            StoreCheck.ofOtherPeriods(
                "lastfix",
                byMonth,
                partitions("history_2026_10", "history_2026_11", "history_2026_11_01"),
                partition -> true))
        .extracting(CollectionPlan::namespace)
        .containsExactly("lastfix.history_2026_11_01");
    assertThat(
            ProvisionException.of(
                StoreCheck.ofOtherPeriods(
                    "lastfix", historyOf("DAY"), partitions("history_2026_10"), partition -> true)))
        .hasMessageContaining("lastfix.history_2026_10: period: expected DAY")
        .hasMessageContaining("history.on-other-period=continue")
        .hasMessageContaining("drop the collection as an administrator");
  }

  @Test
  void partitionsOfAnotherPeriodWithoutDocumentsAreNotTold() {
    assertThat(
            StoreCheck.ofOtherPeriods(
                "lastfix",
                historyOf("DAY"),
                partitions("history_2026_10", "history_2026_11"),
                partition -> partition.collection().equals("history_2026_11")))
        .extracting(CollectionPlan::namespace)
        .containsExactly("lastfix.history_2026_11");
  }

  @Test
  void aPartitionThatMayNotBeReadCountsAsOneWithDocuments() {
    assertThat(StoreCheck.mayHaveDocuments(() -> false)).isFalse();
    assertThat(
            StoreCheck.mayHaveDocuments(
                () -> {
                  throw unauthorized();
                }))
        .isTrue();
    MongoTimeoutException noPrimary = new MongoTimeoutException("no primary");
    assertThatThrownBy(
            () ->
                StoreCheck.mayHaveDocuments(
                    () -> {
                      throw noPrimary;
                    }))
        .isSameAs(noPrimary);
  }

  private static HistoryOptions historyOf(String period) {
    return LocationJobConfig.load(null, List.of("history.period=" + period), name -> null)
        .history();
  }

  private static List<HistoryPartition> partitions(String... names) {
    return Arrays.stream(names)
        .map(name -> HistoryPartition.parse("history", name).orElseThrow())
        .toList();
  }

  @Test
  void aRoleThatMayNotReadTheListIsRefusedWithWhatToDo() {
    assertThatThrownBy(
            () ->
                StoreCheck.requireReadable(
                    () -> {
                      throw unauthorized();
                    }))
        .isInstanceOf(ErasureListUnreadableException.class)
        .hasMessageContaining("the job's role needs the right to read it")
        .hasMessageContaining("'lastfix provision'");
  }

  @Test
  void aServerThatDoesNotAnswerIsLeftToTheJob() {
    MongoTimeoutException noPrimary = new MongoTimeoutException("no primary");

    assertThatThrownBy(
            () ->
                StoreCheck.requireReadable(
                    () -> {
                      throw noPrimary;
                    }))
        .isSameAs(noPrimary);
  }

  @Test
  void aListThatAnswersIsAllRight() {
    assertThatCode(() -> StoreCheck.requireReadable(() -> 3)).doesNotThrowAnyException();
  }
}
