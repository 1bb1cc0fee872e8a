package io.lastfix.gateway.heartbeats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.gateway.kafka.OutgoingRecord;
import io.lastfix.gateway.kafka.Stored;
import io.lastfix.model.device.HeartbeatCodec;
import io.lastfix.model.device.HeartbeatMessage.Tick;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class TickerTest {
  private static final Duration INTERVAL = Duration.ofMillis(5);

  private final List<OutgoingRecord> ticks = new CopyOnWriteArrayList<>();

  private CompletableFuture<Stored> acknowledged(OutgoingRecord record) {
    ticks.add(record);
    return CompletableFuture.completedFuture(new Stored(record.topic(), 0, 0));
  }

  @Test
  void eachPartitionGetsTicksAgainAndAgain() throws Exception {
    try (Ticker ticker = new Ticker(this::acknowledged, "beats", () -> 3, "gw", INTERVAL)) {
      await().until(() -> ticks.size() >= 9);
    }

    assertThat(ticks.subList(0, 6))
        .extracting(OutgoingRecord::partition)
        .containsExactly(0, 1, 2, 0, 1, 2);
    assertThat(ticks.get(0).key()).isNull();
    assertThat(HeartbeatCodec.read(ticks.get(0).value())).isEqualTo(new Tick("gw"));
  }

  @Test
  void aPartitionWhoseTickWaitsGetsNoOtherOne() {
    AtomicInteger rounds = new AtomicInteger();
    CompletableFuture<Stored> waiting = new CompletableFuture<>();
    try (Ticker ticker =
        new Ticker(
            record -> {
              var unused = acknowledged(record);
              return waiting;
            },
            "beats",
            () -> {
              rounds.incrementAndGet();
              return 1;
            },
            "gw",
            INTERVAL)) {
      await().until(() -> rounds.get() >= 5);
      assertThat(ticks).hasSize(1);
      waiting.completeExceptionally(new TimeoutException("away"));
      await().until(() -> ticks.size() > 1);
    }
  }

  @Test
  void itContinuesAfterKafkaDidNotAnswer() {
    AtomicInteger rounds = new AtomicInteger();
    try (Ticker ticker =
        new Ticker(
            this::acknowledged,
            "beats",
            () -> {
              if (rounds.incrementAndGet() < 3) {
                throw new TimeoutException("no metadata");
              }
              return 1;
            },
            "gw",
            INTERVAL)) {
      await().until(() -> !ticks.isEmpty());
    }
    assertThat(rounds.get()).isGreaterThanOrEqualTo(3);
  }
}
