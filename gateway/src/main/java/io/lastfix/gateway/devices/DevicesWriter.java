package io.lastfix.gateway.devices;

import java.util.concurrent.CompletableFuture;

/** Writes to {@code lastfix.devices}. */
@FunctionalInterface
public interface DevicesWriter {
  /**
   * Writes a message without blocking.
   *
   * @return completes once Kafka has acknowledged it; fails if it has not
   */
  CompletableFuture<Void> write(DevicesMessage message);
}
