package io.lastfix.gateway.kafka;

import java.util.concurrent.CompletableFuture;

/** Writes records. */
public interface RecordSender {
  /**
   * Writes a record. Never blocks, so event loops may call it.
   *
   * @return completes after the acknowledgement of all in-sync replicas, or exceptionally with
   *     {@link NotStoredException} within {@link KafkaSender#longestAnswer}
   */
  CompletableFuture<Stored> send(OutgoingRecord record);
}
