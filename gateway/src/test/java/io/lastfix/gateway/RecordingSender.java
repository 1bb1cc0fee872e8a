package io.lastfix.gateway;

import io.lastfix.gateway.kafka.OutgoingRecord;
import io.lastfix.gateway.kafka.RecordSender;
import io.lastfix.gateway.kafka.Stored;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Keeps what it is given. Acknowledges at once, or when the test says so. */
final class RecordingSender implements RecordSender {
  private static final String HEARTBEATS = "lastfix.heartbeats";

  private final List<OutgoingRecord> records = new CopyOnWriteArrayList<>();
  private final List<CompletableFuture<Stored>> answers = new CopyOnWriteArrayList<>();
  private final List<OutgoingRecord> signs = new CopyOnWriteArrayList<>();
  private volatile @Nullable Throwable signFailure;
  private volatile @Nullable CompletableFuture<Stored> signAnswer;
  private volatile boolean holding;

  /** Leaves the records that come from now on without an answer. */
  RecordingSender holding() {
    holding = true;
    return this;
  }

  @Override
  public CompletableFuture<Stored> send(OutgoingRecord record) {
    if (record.topic().equals(HEARTBEATS)) {
      signs.add(record);
      Throwable failure = signFailure;
      CompletableFuture<Stored> held = signAnswer;
      if (held != null) {
        return held.copy();
      }
      return failure == null
          ? CompletableFuture.completedFuture(new Stored(HEARTBEATS, 0, signs.size() - 1L))
          : CompletableFuture.failedFuture(failure);
    }
    CompletableFuture<Stored> answer = new CompletableFuture<>();
    int index;
    // Requests of many connections send at once: each has to find its own answer.
    synchronized (answers) {
      index = records.size();
      answers.add(answer);
      records.add(record);
    }
    if (!holding) {
      acknowledge(index);
    }
    return answer;
  }

  void acknowledge(int index) {
    answers.get(index).complete(new Stored(records.get(index).topic(), 3, index));
  }

  void fail(int index, Throwable failure) {
    answers.get(index).completeExceptionally(failure);
  }

  /** Lets all signs of life fail. */
  RecordingSender withoutHeartbeats(Throwable failure) {
    signFailure = failure;
    return this;
  }

  /** Leaves all signs of life without an answer until {@link #acknowledgeSigns}. */
  RecordingSender holdingSigns() {
    signAnswer = new CompletableFuture<>();
    return this;
  }

  void acknowledgeSigns() {
    Objects.requireNonNull(signAnswer, "not holding signs").complete(new Stored(HEARTBEATS, 0, 0));
  }

  /** What went to the topic of signs of life; {@link #records()} has all others. */
  List<OutgoingRecord> signs() {
    return signs;
  }

  List<OutgoingRecord> records() {
    return records;
  }
}
