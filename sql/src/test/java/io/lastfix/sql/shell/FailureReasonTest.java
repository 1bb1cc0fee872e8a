package io.lastfix.sql.shell;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FailureReasonTest {
  @Test
  void itIsTheInnermostCauseOfTheGatewaysText() {
    String text =
        """
        org.apache.flink.SqlGatewayException: Failed to fetch
        \tat a.B.c(B.java:1)
        Caused by: a.ValidationException: SQL validation failed. From line 1, column 8
        \tat a.B.c(B.java:1)
        \t... 7 more
        Caused by: a.SqlValidatorException: Column 'usr' not found in any table
        did you mean user_id?
        \tat a.B.c(B.java:1)

        End of exception on server side>]""";

    assertThat(FailureReason.of(new IllegalStateException(new RuntimeException(text))))
        .isEqualTo(
            "a.SqlValidatorException: Column 'usr' not found in any table\ndid you mean user_id?");
  }

  @Test
  void optionsThatMayHoldAPasswordAreLeftOut() {
    assertThat(
            FailureReason.of(
                new RuntimeException(
                    "Table options are:\n\n'uri'='mongodb://u:pass@h/'\n"
                        + "'properties.sasl.jaas.config'='x password=\"it''s\";'\n'topic'='t'")))
        .isEqualTo(
            "Table options are:\n\n'uri'='…'\n'properties.sasl.jaas.config'='…'\n'topic'='t'");
  }
}
