package io.lastfix.gateway.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RefusalLogTest {
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
  private final RefusalLog log = new RefusalLog(now::get);

  @Test
  void oneBadDeviceWritesALineAMinuteAndHidesNoOtherReason() {
    assertThat(log.log("t", "empty", "")).isTrue();
    assertThat(log.log("t", "empty", "")).isFalse();
    assertThat(log.log("t", "too-large", "")).isTrue();
    now.addAndGet(RefusalLog.INTERVAL.toNanos() - 1);
    assertThat(log.log("t", "empty", "")).isFalse();
    now.addAndGet(1);
    assertThat(log.log("t", "empty", "")).isTrue();
  }

  @Test
  void aTopicCannotWriteLinesOfItsOwn() {
    assertThat(RefusalLog.printable("a\nERROR b\u001b[31m", 100)).isEqualTo("a?ERROR b?[31m");
    assertThat(RefusalLog.printable("x".repeat(5000), 100)).hasSize(103);
  }
}
