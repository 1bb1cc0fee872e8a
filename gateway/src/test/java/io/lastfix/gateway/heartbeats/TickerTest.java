package io.lastfix.gateway.heartbeats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.gateway.kafka.OutgoingRecord;
import io.lastfix.gateway.kafka.RecordSender;
import io.lastfix.gateway.kafka.Stored;
import io.lastfix.model.device.HeartbeatCodec;
import io.lastfix.model.device.HeartbeatMessage.Tick;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TickerTest {
  private static final Duration INTERVAL = Duration.ofMillis(5);

  private final List<OutgoingRecord> ticks = new CopyOnWriteArrayList<>();

  private Ticker ticker;

  private CompletableFuture<Stored> acknowledged(OutgoingRecord record) {
    ticks.add(record);
    return CompletableFuture.completedFuture(new Stored(record.topic(), 0, 0));
  }

  @AfterEach
  void stop() {
    ticker.close();
  }

  private void start(RecordSender sender, IntSupplier partitions) {
    ticker = new Ticker(sender, "beats", partitions, Optional::empty, "gw", INTERVAL);
  }

  @Test
  void eachPartitionGetsTicksAgainAndAgain() throws Exception {
    start(this::acknowledged, () -> 3);
    await().until(() -> ticks.size() >= 9);

    assertThat(List.copyOf(ticks).subList(0, 6))
        .extracting(OutgoingRecord::partition)
        .containsExactly(0, 1, 2, 0, 1, 2);
    assertThat(ticks.get(0).key()).isNull();
    assertThat(HeartbeatCodec.read(ticks.get(0).value())).isEqualTo(new Tick("gw"));
  }

  @Test
  void aPartitionWhoseTickWaitsGetsNoOtherOne() {
    AtomicInteger rounds = new AtomicInteger();
    CompletableFuture<Stored> waiting = new CompletableFuture<>();
    start(
        record -> {
          ticks.add(record);
          return waiting;
        },
        () -> {
          rounds.incrementAndGet();
          return 1;
        });
    await().until(() -> rounds.get() >= 5);
    assertThat(ticks).hasSize(1);

    waiting.completeExceptionally(new TimeoutException("away"));

    await().until(() -> ticks.size() > 1);
  }

  @Test
  void whileNoRecordsAreTakenNoTickIsWritten() {
    AtomicInteger asked = new AtomicInteger();
    ticker =
        new Ticker(
            this::acknowledged,
            "beats",
            () -> 1,
            () -> asked.incrementAndGet() <= 5 ? Optional.of("no leader") : Optional.empty(),
            "gw",
            INTERVAL);

    await().until(() -> !ticks.isEmpty());

    assertThat(asked.get()).isGreaterThan(5);
  }

  @Test
  void itContinuesAfterKafkaDidNotAnswer() {
    AtomicInteger rounds = new AtomicInteger();
    start(
        this::acknowledged,
        () -> {
          if (rounds.incrementAndGet() < 3) {
            throw new TimeoutException("no metadata");
          }
          return 1;
        });

    await().until(() -> !ticks.isEmpty());
    assertThat(rounds.get()).isGreaterThanOrEqualTo(3);
  }

  /** Without ticks no device goes offline any more, so nothing may end them. */
  @Test
  void itContinuesAfterAnyFailure() {
    AtomicInteger rounds = new AtomicInteger();
    start(
        this::acknowledged,
        () -> {
          if (rounds.incrementAndGet() < 3) {
            throw new IllegalStateException("a defect");
          }
          return 1;
        });

    await().until(() -> !ticks.isEmpty());
    assertThat(rounds.get()).isGreaterThanOrEqualTo(3);
  }
}
