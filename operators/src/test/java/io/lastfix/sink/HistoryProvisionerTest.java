package io.lastfix.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoTimeoutException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.lastfix.model.LocatedRecord;
import io.lastfix.sink.BulkServer.BulkException;
import io.lastfix.sink.MongoBulkServer.CollectionProvisioner;
import io.lastfix.store.history.HistoryDocumentConverter;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.HistoryRetention;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.history.TestHistory;
import io.lastfix.store.provision.CollectionPlan;
import io.lastfix.store.provision.Difference;
import io.lastfix.store.provision.ProvisionException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which partitions the first use of one provisions, and the effect of a failure. */
class HistoryProvisionerTest {
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:01Z");

  /** Records the partitions to provision, and rejects those that the test names. */
  private static final class RecordingProvisioner implements CollectionProvisioner {
    private final List<String> provisioned = new ArrayList<>();
    private final Set<String> disagreeing;
    private final Set<String> unreachable;

    RecordingProvisioner(Set<String> disagreeing, Set<String> unreachable) {
      this.disagreeing = disagreeing;
      this.unreachable = unreachable;
    }

    @Override
    public void provision(String collection) throws ProvisionException {
      if (disagreeing.contains(collection)) {
        throw refusal(collection);
      }
      if (unreachable.contains(collection)) {
        throw new MongoTimeoutException("no server");
      }
      provisioned.add(collection);
    }
  }

  private static ProvisionException refusal(String collection) {
    return ProvisionException.of(
        List.of(
            new CollectionPlan(
                "lastfix." + collection,
                List.of(),
                List.of(new Difference("kind", "collection", "view", "drop it")))));
  }

  private static HistoryProvisioner over(CollectionProvisioner one, PartitionPeriod period) {
    return over(one, TestHistory.of(period));
  }

  private static HistoryProvisioner over(CollectionProvisioner one, HistoryOptions history) {
    return new HistoryProvisioner(one, history, InstantSource.fixed(NOW));
  }

  @ParameterizedTest
  @CsvSource({
    "MONTH, history_2026_11, history_2026_12",
    "MONTH, history_2026_12, history_2027_01",
    "DAY, history_2026_11_20, history_2026_11_21",
    "DAY, history_2026_11_30, history_2026_12_01",
    "HOUR, history_2026_11_20_12, history_2026_11_20_13",
    "HOUR, history_2026_11_20_23, history_2026_11_21_00"
  })
  void aPartitionThatIsNotOverBringsTheFollowingOneWithIt(
      PartitionPeriod period, String used, String following) throws Exception {
    RecordingProvisioner one = new RecordingProvisioner(Set.of(), Set.of());

    over(one, period).provision(used);

    assertThat(one.provisioned).containsExactly(used, following);
  }

  @ParameterizedTest
  @CsvSource({
    "MONTH, history_2026_10",
    "MONTH, history_2009_01",
    "DAY, history_2026_11_19",
    "HOUR, history_2026_11_20_11"
  })
  void aPartitionOfThePastComesAlone(PartitionPeriod period, String used) throws Exception {
    RecordingProvisioner one = new RecordingProvisioner(Set.of(), Set.of());

    over(one, period).provision(used);

    assertThat(one.provisioned).containsExactly(used);
  }

  @Test
  void theFollowingOneMayWaitButTheOneThatIsUsedMayNot() {
    RecordingProvisioner later = new RecordingProvisioner(Set.of(), Set.of("history_2026_12"));
    RecordingProvisioner never = new RecordingProvisioner(Set.of("history_2026_12"), Set.of());

    assertThatCode(() -> over(later, PartitionPeriod.MONTH).provision("history_2026_11"))
        .doesNotThrowAnyException();
    assertThatCode(() -> over(never, PartitionPeriod.MONTH).provision("history_2026_11"))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> over(later, PartitionPeriod.MONTH).provision("history_2026_12"))
        .isInstanceOf(MongoTimeoutException.class);
    assertThatThrownBy(() -> over(never, PartitionPeriod.MONTH).provision("history_2026_12"))
        .isInstanceOf(ProvisionException.class);
  }

  @Test
  void aPartitionThatIsExpiredMayBeGone() {
    CollectionProvisioner one = new RecordingProvisioner(Set.of(), Set.of());
    HistoryOptions days = TestHistory.of(PartitionPeriod.DAY);
    HistoryRetention tenDays =
        HistoryRetention.of(PartitionPeriod.DAY, Duration.ofDays(10), Duration.ZERO);

    assertThat(over(one, days).mayBeGone("history_2026_11_09")).isFalse();
    HistoryProvisioner forgetting = over(one, TestHistory.withRetention(days, tenDays));
    assertThat(forgetting.mayBeGone("history_2026_11_09")).isTrue();
    assertThat(forgetting.mayBeGone("history_2026_11_10")).isFalse();
  }

  @Test
  void aCollectionThatDisagreesFailsTheJobInTheProvisionersWords() {
    try (MongoClient nobody = MongoClients.create("mongodb://127.0.0.1:1")) {
      MongoBulkServer<LocatedRecord> server =
          new MongoBulkServer<>(
              nobody,
              nobody.getDatabase("lastfix"),
              over(
                  new RecordingProvisioner(Set.of("history_2026_11"), Set.of()),
                  PartitionPeriod.MONTH),
              new HistoryDocumentConverter(),
              MongoBulkServer.DuplicateKeys.ARE_STORED,
              any -> List.of(),
              Duration.ZERO);

      assertThat(server.isReady("history_2026_11")).isFalse();
      assertThatThrownBy(() -> server.prepare("history_2026_11"))
          .isInstanceOfSatisfying(
              BulkException.class, failure -> assertThat(failure.isRetryable()).isFalse())
          .hasMessage(refusal("history_2026_11").getMessage());
    }
  }
}
