package io.lastfix.gateway.kafka;

import java.time.Duration;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * After a wait for a topic's metadata in vain, what is sent to that topic fails at once for some
 * seconds: otherwise each message would wait as long as the one before. For the one thread that
 * calls {@code send}.
 */
public final class MetadataPause {
  /** How long. */
  public static final Duration LENGTH = Duration.ofSeconds(5);

  private @Nullable Long until;

  /** No pause so far. */
  public MetadataPause() {}

  /**
   * Whether nothing is to be sent now.
   *
   * @param now by {@code System::nanoTime}
   */
  public boolean isOn(long now) {
    return until != null && until - now > 0;
  }

  /**
   * Begins the pause if {@code send} itself has failed, which the producer reports on the thread
   * that calls it. Kafka's answers come on another thread and begin none.
   *
   * @param sender the thread that calls {@code send}
   * @param now by {@code System::nanoTime}
   */
  public void failed(Exception failure, Thread sender, long now) {
    if (Thread.currentThread() == sender && failure instanceof TimeoutException) {
      until = now + LENGTH.toNanos();
    }
  }
}
