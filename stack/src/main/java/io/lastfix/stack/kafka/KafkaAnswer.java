package io.lastfix.stack.kafka;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaFuture;

/** Waits for Kafka's answer to a request. */
public final class KafkaAnswer {
  private static final long TIMEOUT_SECONDS = 30;

  private KafkaAnswer() {}

  /**
   * The answer.
   *
   * @throws IOException if there is none within 30 s, or Kafka refuses; the refusal is then the
   *     cause
   */
  public static <T> T await(KafkaFuture<T> answer) throws IOException {
    try {
      return answer.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while querying Kafka", e);
    } catch (ExecutionException e) {
      throw new KafkaRequestException(e.getCause());
    } catch (TimeoutException e) {
      throw new IOException("Kafka did not answer within " + TIMEOUT_SECONDS + " s", e);
    }
  }
}
