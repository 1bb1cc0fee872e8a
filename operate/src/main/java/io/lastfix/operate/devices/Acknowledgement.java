package io.lastfix.operate.devices;

import io.lastfix.gateway.kafka.NotStoredException;
import io.lastfix.kit.kafka.KafkaFailure;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Kafka's acknowledgement of a message that an operator writes.
 *
 * @param topic of the message
 * @param list the command that shows whether it is stored
 */
public record Acknowledgement(String topic, String list) {
  /** The longest wait for it, in seconds. */
  public static final int LIMIT_SECONDS = 30;

  /**
   * Waits for it.
   *
   * @throws UnknownOutcomeException if the message may be stored
   * @throws IOException if it is not stored
   * @throws InterruptedException to be converted only after the producer is closed: a thread with
   *     the flag of an interrupt does not wait until it has sent the rest
   */
  public void await(Future<?> written) throws IOException, InterruptedException {
    try {
      var unused = written.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      // The reason of Kafka's client, if it was called.
      boolean hasReason = cause instanceof NotStoredException && cause.getCause() != null;
      throw failure(hasReason ? cause.getCause() : cause);
    } catch (TimeoutException e) {
      throw failure(e);
    }
  }

  /** What an interrupted wait means; sets the thread's flag again. */
  public IOException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new UnknownOutcomeException(
        "interrupted while writing to %s, which may have stored it or not: %s shows which"
            .formatted(topic, list),
        cause);
  }

  /**
   * What a failed write means. Kafka's own refusal is certain. Without an answer, the message may
   * be stored: it was on its way.
   */
  IOException failure(Throwable cause) {
    if (cause instanceof ApiException && !(cause instanceof RetriableException)) {
      return new IOException(
          "nothing was changed, because Kafka did not take the message for %s: %s"
              .formatted(topic, KafkaFailure.explain(cause)),
          cause);
    }
    return new UnknownOutcomeException(
        "Kafka did not acknowledge the message for %s within %d s, and may have stored it or not: %s shows which"
            .formatted(topic, LIMIT_SECONDS, list),
        cause);
  }
}
