package io.lastfix.cluster.flink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailureCauseTest {
  @Test
  void theLastCauseIsSaidWithAllItsLinesAndNoFrame() {
    assertThat(
            FailureCause.of(
                """
                JobException: failed
                \tat a.B.c(B.java:1)
                Caused by: IOException: two
                lines
                \tat a.B.d(B.java:2)
                \t... 3 more
                """))
        .isEqualTo("IOException: two" + System.lineSeparator() + "lines");
  }

  @Test
  void aCauseThatSharesAllItsFramesEndsWhereTheyAreLeftOut() {
    assertThat(FailureCause.of("outer\n\tat a\nCaused by: inner\n\t... 3 more")).isEqualTo("inner");
  }

  @Test
  void withoutACauseTheFramesAreCut() {
    assertThat(FailureCause.of("IOException: no\n\tat a.B.c(B.java:1)\n\tat a.B.d(B.java:2)\n"))
        .isEqualTo("IOException: no");
  }

  @Test
  void ofAnExceptionOfOursOnlyTheSentenceIsSaid() {
    assertThat(
            FailureCause.of(
                """
                ProgramInvocationException: failed
                \tat a.B.c(B.java:1)
                Caused by: io.lastfix.store.connect.MongoAccessException: MongoDB at b:1 refuses the user
                \tat io.lastfix.store.connect.MongoClientFactory.connect(MongoClientFactory.java:1)
                """))
        .isEqualTo("MongoDB at b:1 refuses the user");
  }

  @Test
  void anIllegalStateIsASentenceOnlyWhereItIsOursThatThrowsIt() {
    String said = "java.lang.IllegalStateException: Kafka at b:1 does not answer";

    assertThat(
            FailureCause.of(
                said + "\n\tat io.lastfix.jobs.kafka.topics.KafkaTopics.await(K.java:1)"))
        .isEqualTo("Kafka at b:1 does not answer");
    assertThat(FailureCause.of(said + "\n\tat org.apache.A.b(A.java:1)")).isEqualTo(said);
    assertThat(FailureCause.of("java.lang.NullPointerException: no\n\tat io.lastfix.A.b(A.java:1)"))
        .isEqualTo("java.lang.NullPointerException: no");
  }

  @Test
  void nothingAtAllIsSaidToBeThat() {
    assertThat(FailureCause.of(" \n")).isEqualTo("Flink reports no cause");
  }
}
