package io.lastfix.gateway;

import io.lastfix.gateway.kafka.OutgoingRecord;
import io.lastfix.gateway.kafka.RecordSender;
import io.lastfix.gateway.kafka.Stored;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what it is given. Acknowledges at once, or when the test says so. */
final class RecordingSender implements RecordSender {
  private final List<OutgoingRecord> records = new CopyOnWriteArrayList<>();
  private final List<CompletableFuture<Stored>> answers = new CopyOnWriteArrayList<>();
  private volatile boolean holding;

  /** Leaves the records that come from now on without an answer. */
  RecordingSender holding() {
    holding = true;
    return this;
  }

  @Override
  public CompletableFuture<Stored> send(OutgoingRecord record) {
    records.add(record);
    CompletableFuture<Stored> answer = new CompletableFuture<>();
    answers.add(answer);
    if (!holding) {
      acknowledge(answers.size() - 1);
    }
    return answer;
  }

  void acknowledge(int index) {
    answers.get(index).complete(new Stored(records.get(index).topic(), 3, index));
  }

  void fail(int index, Throwable failure) {
    answers.get(index).completeExceptionally(failure);
  }

  List<OutgoingRecord> records() {
    return records;
  }
}
