package io.lastfix.store.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrphansTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration LIMIT = Duration.ofSeconds(3);

  private final List<String> said = new ArrayList<>();
  private Instant now = NOW;

  private static final long HANGS = -1;
  private static final long REFUSES = -2;

  /** Returns the given counts in turn, then the last one for ever. */
  private static final class CannedShard implements Shard {
    private final String name;
    private final Duration delay;
    private final Deque<Long> counts;

    CannedShard(String name, Duration delay, Long... counts) {
      this.name = name;
      this.delay = delay;
      this.counts = new ArrayDeque<>(Arrays.asList(counts));
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public long count() throws IOException {
      long count = counts.size() > 1 ? counts.remove() : counts.element();
      if (count == HANGS) {
        throw new IOException("it hangs");
      }
      if (count == REFUSES) {
        throw new Shard.RefusedException("it rejects the user of mongo.uri", null);
      }
      return count;
    }

    @Override
    public Duration orphanCleanupDelay() {
      return delay;
    }

    @Override
    public void close() {
      // Nothing was opened.
    }
  }

  private Orphans.Result await(List<String> notSeen, Shard... shards) throws Exception {
    return new Orphans(() -> now, LIMIT, () -> now = now.plusSeconds(1), said::add)
        .await(List.of(shards), notSeen);
  }

  @Test
  void aServerWithoutShardsIsNotWaitedFor() throws Exception {
    Orphans.Result result = await(List.of());

    assertThat(result.shards()).isEmpty();
    assertThat(result.notSeen()).isEmpty();
    assertThat(said).isEmpty();
  }

  @Test
  void orphansAreWaitedForUntilTheShardsThemselvesCountNone() throws Exception {
    Orphans.Result result =
        await(
            List.of(),
            new CannedShard("donor", Orphans.USUAL_DELAY, 59L, 59L, 0L),
            new CannedShard("recipient", Orphans.USUAL_DELAY, 0L));

    assertThat(result.shards()).containsExactly("donor", "recipient");
    assertThat(said)
        .containsOnly(
            "waiting until no shard has documents of the user: MongoDB deletes the documents of"
                + " moved chunks by 2026-11-21T12:15:00Z")
        .hasSize(2);
  }

  @Test
  void whatIsLeftWhenTheTimeIsOverIsNamedWithTheTimeWhenItWillBeGone() {
    assertThatThrownBy(
            () ->
                await(
                    List.of(),
                    new CannedShard("donor", Duration.ofMinutes(30), 59L),
                    new CannedShard("other", Orphans.USUAL_DELAY, 0L)))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll(
            "shard donor still has 59 documents",
            "1800 s (orphanCleanupDelaySecs) after the move",
            "by 2026-11-21T12:30:00Z",
            "Everything else is deleted")
        .hasMessageNotContaining("other");
  }

  @Test
  void theTimeIsThatOfTheShardsSettingWhereAllTellIt() throws Exception {
    assertThat(await(List.of(), new CannedShard("quick", Duration.ofSeconds(30), 0L)).until())
        .isEqualTo("2026-11-21T12:00:30Z");
  }

  @Test
  void shardsThatRefuseAreNamedAndWhenTheirOrphansWillBeGone() throws Exception {
    Orphans.Result result =
        await(
            List.of("far (it cannot be reached from here)"),
            new CannedShard("secured", Orphans.USUAL_DELAY, REFUSES),
            new CannedShard("other", Orphans.USUAL_DELAY, 0L));

    assertThat(result.shards()).containsExactly("other");
    assertThat(result.notSeen())
        .containsExactly(
            "far (it cannot be reached from here)", "secured (it rejects the user of mongo.uri)");
    assertThat(result.isComplete()).isFalse();
    assertThat(result.until()).isEqualTo("2026-11-21T12:15:00Z");
  }

  @Test
  void anErrorThatPassesDoesNotEndTheWaitForAShardThatHasDocuments() throws Exception {
    CannedShard donor = new CannedShard("donor", Orphans.USUAL_DELAY, 59L, HANGS, 59L, 0L);

    Orphans.Result result = await(List.of(), donor);

    assertThat(donor.counts).as("what it was not queried for").containsExactly(0L);
    assertThat(result.shards()).containsExactly("donor");
    assertThat(result.notSeen()).isEmpty();
    assertThat(result.isComplete()).isTrue();
  }

  @Test
  void aShardThatDoesNotAnswerUntilTheTimeIsOverFailsTheErasureAndIsNamed() {
    assertThatThrownBy(
            () ->
                await(
                    List.of(),
                    new CannedShard("hung", Orphans.USUAL_DELAY, HANGS),
                    new CannedShard("other", Orphans.USUAL_DELAY, 0L)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("shard hung could not be counted (it hangs)")
        .hasMessageNotContaining("other");
  }

  @Test
  void aShardThatHadDocumentsAndRefusesTheUserSinceFailsTheErasure() {
    assertThatThrownBy(
            () -> await(List.of(), new CannedShard("donor", Orphans.USUAL_DELAY, 59L, REFUSES)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(
            "shard donor could not be counted (it rejects the user of mongo.uri)");
  }

  @Test
  void twoClustersMayNameTheirShardsAlike() {
    assertThatThrownBy(
            () ->
                await(
                    List.of(),
                    new CannedShard("rs0", Orphans.USUAL_DELAY, 1L),
                    new CannedShard("rs0", Orphans.USUAL_DELAY, 2L)))
        .hasMessageContainingAll(
            "shard rs0 still has 1 documents", "shard rs0 still has 2 documents");
  }
}
