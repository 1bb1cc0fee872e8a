package io.lastfix.store.erasure;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import io.lastfix.store.erasure.Erasure.ErasureSteps;
import io.lastfix.store.erasure.ErasureListCollection.Added;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;

class ErasureTest {
  private static final Instant UNTIL = Instant.parse("2026-11-21T12:05:00Z");

  private final RecordingAudit audit = new RecordingAudit();

  @Test
  void ifTheDeviceIsNotRemovedFromKafkaTheReportNamesThatAndTheErasureIsNotFinished()
      throws Exception {
    ErasureReport report =
        erasure(device -> Optional.of("presence of " + device)).run(new Steps(audit), "user");

    assertThat(report.failed()).containsExactly("presence of user");
    assertThat(report.notReached()).containsExactly("backups");
    assertThat(report.deleted()).containsEntry("history", 3L);
    assertThat(audit.keysSet()).contains("deleted").doesNotContain("finished");
  }

  @Test
  void ifEveryStepSucceedsTheErasureIsFinished() throws Exception {
    ErasureReport report = erasure(device -> Optional.empty()).run(new Steps(audit), "user");

    assertThat(report.failed()).isEmpty();
    assertThat(report.user()).isEqualTo("user");
    assertThat(report.found()).isEqualTo(4);
    assertThat(report.erased()).isEqualTo(3);
    assertThat(audit.keysSet()).contains("deleted", "finished");
  }

  /** It lives on, and is published again while the rest still runs. */
  @Test
  void theDeviceIsRemovedFromKafkaBeforeTheStepsThatTakeLong() throws Exception {
    ErasureReport report =
        erasure(
                device ->
                    audit.keysSet().contains("deleted") ? Optional.of("late") : Optional.empty())
            .run(new Steps(audit), "user");

    assertThat(report.failed()).isEmpty();
  }

  private static Erasure erasure(Erasure.Publications publications) {
    return new Erasure(
        null,
        Optional.empty(),
        new Erasure.Limits(Duration.ZERO, Duration.ofSeconds(1), Duration.ZERO),
        publications,
        List.of("backups"),
        line -> {});
  }

  /** Steps that all succeed. */
  private record Steps(RecordingAudit recorded) implements ErasureSteps {
    @Override
    public List<UserHash> hashes() {
      return List.of(UserHash.of("user"));
    }

    @Override
    public Instant until(Instant latestAccepted) {
      return UNTIL;
    }

    @Override
    public Added addToList(Instant until) {
      return new Added(1, until);
    }

    @Override
    public ErasureAudit audit() {
      return new ErasureAudit(recorded.collection());
    }

    @Override
    public long count(Instant until) {
      return 4;
    }

    @Override
    public Map<String, Long> delete(Instant until) {
      return Map.of("history", 3L);
    }

    @Override
    public Orphans.Result awaitShards(
        Instant until, Duration shardLimit, Consumer<String> progress) {
      return Orphans.Result.none();
    }

    @Override
    public Optional<Instant> newest() {
      return Optional.empty();
    }
  }

  /** An audit collection that records its updates; it fails on any call but a write. */
  private static final class RecordingAudit {
    private final List<BsonDocument> updates = new ArrayList<>();

    @SuppressWarnings("unchecked") // A proxy has no type arguments.
    MongoCollection<BsonDocument> collection() {
      return (MongoCollection<BsonDocument>)
          Proxy.newProxyInstance(
              ErasureTest.class.getClassLoader(),
              new Class<?>[] {MongoCollection.class},
              (proxy, method, arguments) -> {
                switch (method.getName()) {
                  case "insertOne" -> {}
                  case "updateOne" -> updates.add((BsonDocument) arguments[1]);
                  default -> throw new UnsupportedOperationException(method.getName());
                }
                return null;
              });
    }

    List<String> keysSet() {
      return updates.stream()
          .flatMap(update -> update.getDocument("$set").keySet().stream())
          .toList();
    }
  }
}
