package io.lastfix.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveHeapTest {
  @Test
  void theTotalIsThatOfTheBytes() throws IOException {
    assertThat(
            LiveHeap.total(
                List.of(
                    "   1:         12345        4567890  [B (java.base@17.0.1)",
                    "Total         54321        9876543")))
        .isEqualTo(9_876_543);
  }

  @Test
  void whatIsNoHistogramIsRefusedInItsOwnWords() {
    assertThatThrownBy(() -> LiveHeap.total(List.of("17:", "Unable to open socket file")))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "expected a histogram that ends with its total, found: Unable to open socket file");
  }

  @Test
  void aRunningProcessTellsWhatItHolds() throws Exception {
    byte[] held = new byte[10_000_000];

    assertThat(LiveHeap.bytes(ProcessHandle.current().pid())).isGreaterThan(held.length);
  }
}
