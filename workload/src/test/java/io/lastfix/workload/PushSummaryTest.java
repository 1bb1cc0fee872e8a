package io.lastfix.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PushSummaryTest {
  @Test
  void theLineHasTheRecordsAndTheirRate() {
    assertThat(new PushSummary(120, 1_300, 200, 5, 9_900_000, 2.5).toLine())
        .isEqualTo("Sent 1,300 records in 120 messages, 9.9 MB in 2.5 s: 520 records/s");
  }

  @Test
  void ofFilesItHasTheMessages() {
    assertThat(new PushSummary(2, 0, 0, 0, 1_000_000, 1).toLine())
        .isEqualTo("Sent 2 messages, 1.0 MB in 1.0 s: 2 messages/s");
  }

  @Test
  void oneIsSingular() {
    assertThat(new PushSummary(1, 0, 0, 0, 1_000_000, 1).toLine()).startsWith("Sent 1 message, ");
    assertThat(new PushSummary(1, 1, 0, 0, 1_000_000, 1).toLine())
        .startsWith("Sent 1 record in 1 message, ");
  }
}
