package io.lastfix.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.mongodb.MongoCommandException;
import com.mongodb.ServerAddress;
import io.lastfix.bench.plot.CheckpointTimeline.Span;
import io.lastfix.cluster.flink.FlinkRest.CheckpointTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.Document;
import org.junit.jupiter.api.Test;

class CheckpointWatchTest {
  private static final Document UNTIL_7_0 =
      engine("transaction", "transaction checkpoint currently running", 1);
  private static final double END = 1_000;

  private final List<String> said = new CopyOnWriteArrayList<>();
  private final AtomicInteger looks = new AtomicInteger();

  @Test
  void mongoTellsItInOnePlaceUntil70AndInAnotherFrom71On() {
    assertThat(CheckpointWatch.takesCheckpoint(UNTIL_7_0)).contains(true);
    assertThat(
            CheckpointWatch.takesCheckpoint(
                engine("transaction", "transaction checkpoint currently running", 0)))
        .contains(false);
    assertThat(CheckpointWatch.takesCheckpoint(engine("checkpoint", "progress state", 3)))
        .contains(true);
    assertThat(CheckpointWatch.takesCheckpoint(engine("checkpoint", "progress state", 0)))
        .contains(false);
    assertThat(CheckpointWatch.takesCheckpoint(new Document("ok", 1))).as("a router").isEmpty();
  }

  @Test
  void aLookThatFailsIsSaidOnceAndTheNextOneSees() {
    try (CheckpointWatch watch =
        new CheckpointWatch(
            () -> {
              if (looks.incrementAndGet() <= 2) {
                throw new IllegalStateException("not now");
              }
              return UNTIL_7_0;
            },
            List::of,
            said::add)) {
      await().untilAsserted(() -> assertThat(watch.timeline().ofMongo(END)).hasSize(1));
      assertThat(watch.seesMongo()).isTrue();
    }
    assertThat(said).singleElement().asString().contains("not now");
  }

  @Test
  void whoMayNotAskIsToldWhatItTakesAndNothingIsAskedAgain() {
    try (CheckpointWatch watch =
        new CheckpointWatch(
            () -> {
              looks.incrementAndGet();
              throw new MongoCommandException(
                  new BsonDocument("code", new BsonInt32(13)), new ServerAddress());
            },
            List::of,
            said::add)) {
      await().until(() -> !watch.seesMongo());
    }
    assertThat(said).singleElement().asString().contains("clusterMonitor");
    assertThat(looks).hasValue(1);
  }

  @Test
  void flinkIsLookedAtOnceMoreAtTheEnd() {
    Instant now = Instant.now();
    CheckpointWatch watch =
        new CheckpointWatch(
            Document::new,
            () -> {
              if (looks.incrementAndGet() == 1) {
                throw new IOException("not there yet");
              }
              return List.of(
                  new CheckpointTime(1, now.plusSeconds(10), Optional.of(Duration.ofSeconds(2))));
            },
            said::add);
    await().until(() -> looks.get() > 0);
    watch.close();

    List<Span> found = watch.timeline().ofFlink(END);
    assertThat(found).hasSize(1);
    assertThat(found.get(0).seconds()).isEqualTo(2, within(1e-6));
    assertThat(found.get(0).from()).isBetween(9.0, 10.5);
    assertThat(said).anyMatch(words -> words.contains("not there yet"));
  }

  private static Document engine(String section, String figure, int value) {
    return new Document("wiredTiger", new Document(section, new Document(figure, value)));
  }
}
