package io.lastfix.kit.kafka;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaFuture;

/** Waits for Kafka's answer to a request. */
public final class KafkaAnswer {
  /** The usual limit of a wait. */
  public static final Duration LIMIT = Duration.ofSeconds(30);

  private KafkaAnswer() {}

  /**
   * Returns the answer, within {@link #LIMIT}.
   *
   * @throws IOException as for {@link #await(KafkaFuture, Duration)}
   */
  public static <T> T await(KafkaFuture<T> answer) throws IOException {
    return await(answer, LIMIT);
  }

  /**
   * Returns the answer.
   *
   * @throws KafkaRequestException if Kafka refuses, or its client gives up; the cause says why
   * @throws InterruptedIOException if another thread interrupts the wait
   * @throws IOException if there is no answer within the limit
   */
  public static <T> T await(KafkaFuture<T> answer, Duration limit) throws IOException {
    try {
      return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("Interrupted while querying Kafka");
      interrupted.initCause(e);
      throw interrupted;
    } catch (ExecutionException e) {
      throw new KafkaRequestException(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("Kafka did not answer within %d s".formatted(limit.toSeconds()), e);
    }
  }
}
