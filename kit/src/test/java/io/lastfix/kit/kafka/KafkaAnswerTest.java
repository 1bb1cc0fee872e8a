package io.lastfix.kit.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.apache.kafka.common.internals.KafkaFutureImpl;
import org.junit.jupiter.api.Test;

class KafkaAnswerTest {
  private static final Duration SHORT = Duration.ofMillis(1);

  private static KafkaFuture<String> refused(Throwable refusal) {
    KafkaFutureImpl<String> answer = new KafkaFutureImpl<>();
    answer.completeExceptionally(refusal);
    return answer;
  }

  private static IOException failure(KafkaFuture<String> answer) {
    try {
      throw new AssertionError(KafkaAnswer.await(answer, SHORT));
    } catch (IOException e) {
      return e;
    }
  }

  @Test
  void anAnswerIsReturned() throws IOException {
    assertThat(KafkaAnswer.await(KafkaFuture.completedFuture("it"))).isEqualTo("it");
  }

  @Test
  void aRefusalIsTheCause() {
    TopicAuthorizationException refusal = new TopicAuthorizationException("Not authorized");

    assertThat(failure(refused(refusal)))
        .isInstanceOf(KafkaRequestException.class)
        .hasMessage("Kafka: Not authorized")
        .hasCause(refusal);
  }

  @Test
  void aMissingAnswerIsToldWithTheLimit() {
    assertThatThrownBy(() -> KafkaAnswer.await(new KafkaFutureImpl<String>(), Duration.ofMillis(1)))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("Kafka did not answer within 0 s")
        .hasCauseInstanceOf(TimeoutException.class);
  }

  @Test
  void anInterruptedWaitLeavesTheThreadInterrupted() {
    Thread.currentThread().interrupt();

    assertThat(failure(new KafkaFutureImpl<>())).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void ifNoAnswerComesTheAddressIsNamed() {
    String unanswered =
        "Kafka at broker:9092 does not answer: check kafka.bootstrap-servers and that its brokers"
            + " run";
    IOException silent = failure(new KafkaFutureImpl<>());
    IOException refused = failure(refused(new TopicAuthorizationException("no")));

    assertThat(KafkaFailure.withAddresses("broker:9092", silent))
        .hasMessage(unanswered)
        .hasCause(silent);
    assertThat(
            KafkaFailure.withAddresses(
                "broker:9092",
                failure(refused(new org.apache.kafka.common.errors.TimeoutException("30 s")))))
        .hasMessage(unanswered);
    assertThat(KafkaFailure.withAddresses("broker:9092", refused)).isSameAs(refused);
  }

  @Test
  void aFailureIsExplainedWithItsRemedy() {
    String brokers = "broker:9092";

    assertThat(KafkaFailure.of("list topics", brokers, failure(new KafkaFutureImpl<>())))
        .isInstanceOf(UnansweredException.class)
        .hasNoCause()
        .hasMessageContaining("Kafka at broker:9092 does not answer the request to list topics");
    assertThat(
            KafkaFailure.of(
                "list topics",
                brokers,
                failure(refused(new org.apache.kafka.common.errors.TimeoutException()))))
        .isInstanceOf(UnansweredException.class);
    assertThat(
            KafkaFailure.of(
                "list topics", brokers, failure(refused(new SaslAuthenticationException("no")))))
        .hasNoCause()
        .hasMessage(
            "Kafka could not list topics: no: check user, password and sasl.mechanism in"
                + " kafka.properties (sasl.jaas.config)");
    assertThat(
            KafkaFailure.ofQuery(
                "what group a has read", brokers, failure(new KafkaFutureImpl<>())))
        .hasMessage(
            "Kafka at broker:9092 did not return within 30 s what group a has read: check that its"
                + " brokers run");
  }

  @Test
  void aRefusedCommitHasTheRemedyOfItsReason() {
    assertThat(commit(failure(refused(new UnknownMemberIdException("unknown member")))))
        .isEqualTo(
            "The start offsets of group a cannot be committed to Kafka at broker:9092: another"
                + " program is a member of that group: stop it, or configure another"
                + " kafka.group-id");
    String unanswered =
        "The start offsets of group a cannot be committed to Kafka at broker:9092: no answer:"
            + " check kafka.bootstrap-servers and that its brokers run";
    assertThat(commit(failure(new KafkaFutureImpl<>()))).isEqualTo(unanswered);
    assertThat(
            commit(failure(refused(new org.apache.kafka.common.errors.TimeoutException("30 s")))))
        .isEqualTo(unanswered);
    assertThat(commit(failure(refused(new GroupAuthorizationException("Not authorized")))))
        .isEqualTo(
            "The start offsets of group a cannot be committed to Kafka at broker:9092: Not"
                + " authorized: grant it to the user of kafka.properties.sasl.jaas.config");
    assertThat(commit(new InterruptedIOException("Interrupted while querying Kafka")))
        .endsWith("at broker:9092: Interrupted while querying Kafka");
  }

  private static String commit(IOException failure) {
    IllegalStateException explained = KafkaFailure.ofCommit("a", "broker:9092", failure);
    assertThat(explained).hasNoCause();
    return explained.getMessage();
  }
}
