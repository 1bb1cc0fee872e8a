package io.lastfix.operate.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;

class AcknowledgementTest {
  private final Acknowledgement awaited = new Acknowledgement("t", "lastfix group list");

  @Test
  void onlyARefusalOfKafkaIsCertain() {
    assertThat(awaited.failure(new TopicAuthorizationException("denied")))
        .isNotInstanceOf(UnknownOutcomeException.class)
        .hasMessageStartingWith(
            "nothing was changed, because Kafka did not take the message for t");
    for (Throwable cause :
        List.of(
            new TimeoutException("slow"),
            new DisconnectException(),
            new java.util.concurrent.TimeoutException(),
            new IllegalStateException("closed"))) {
      assertThat(awaited.failure(cause))
          .isInstanceOf(UnknownOutcomeException.class)
          .hasMessage(
              "Kafka did not acknowledge the message for t within 30 s, and may have stored it or"
                  + " not: lastfix group list shows which");
    }
  }

  @Test
  void theReasonOfKafkasClientIsJudged() {
    assertThatCode(() -> awaited.await(CompletableFuture.completedFuture(null)))
        .doesNotThrowAnyException();
    assertThatThrownBy(
            () ->
                awaited.await(
                    CompletableFuture.failedFuture(new TopicAuthorizationException("denied"))))
        .isNotInstanceOf(UnknownOutcomeException.class)
        .hasMessageStartingWith("nothing was changed");
    assertThatThrownBy(
            () -> awaited.await(CompletableFuture.failedFuture(new TimeoutException("slow"))))
        .isInstanceOf(UnknownOutcomeException.class);
  }
}
