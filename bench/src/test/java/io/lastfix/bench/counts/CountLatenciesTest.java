package io.lastfix.bench.counts;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.bench.counts.CountLatencies.Observer;
import org.junit.jupiter.api.Test;

class CountLatenciesTest {
  private long now = 1_000_000;
  private final CountLatencies latencies = new CountLatencies(() -> now);

  private void sendAt(long millis) {
    now = millis;
    assertThat(latencies.next()).isEqualTo(millis);
  }

  @Test
  void aRecordIsIncludedByTheFirstNumberThatIsGreatEnough() {
    Observer observer = latencies.observe(0);
    sendAt(1_000_000);
    sendAt(1_000_100);
    sendAt(1_000_400);

    now = 1_001_000;
    observer.found(1_000_000, 2);
    now = 1_001_500;
    observer.found(1_000_000, 2);
    assertThat(observer.missing()).isEqualTo(1);
    now = 1_002_400;
    observer.found(1_000_000, 3);

    assertThat(observer.missing()).isZero();
    assertThat(observer.latencies().count()).isEqualTo(3);
    assertThat(observer.latencies().percentile(1)).isBetween(900.0, 901.0);
    assertThat(observer.latencies().percentile(50)).isBetween(1_000.0, 1_001.0);
    assertThat(observer.latencies().percentile(100)).isBetween(2_000.0, 2_002.0);
  }

  @Test
  void windowsCountForThemselvesAndAnUnknownOneChangesNothing() {
    Observer observer = latencies.observe(0);
    sendAt(1_009_999);
    sendAt(1_010_000);

    observer.found(1_010_000, 1);
    observer.found(1_020_000, 1);

    assertThat(observer.latencies().count()).isEqualTo(1);
    assertThat(observer.missing()).isEqualTo(1);
  }

  @Test
  void recordsBeforeTheFirstInstantAreCountedButNotMeasured() {
    sendAt(1_000_000);
    Observer observer = latencies.observe(1_000_200);
    sendAt(1_000_300);
    assertThat(observer.missing()).isEqualTo(1);

    now = 1_001_000;
    observer.found(1_000_000, 1);
    assertThat(observer.latencies().count()).isZero();
    observer.found(1_000_000, 2);

    assertThat(observer.latencies().count()).isEqualTo(1);
    assertThat(observer.latencies().percentile(100)).isBetween(700.0, 701.0);
  }

  @Test
  void observersSeeNumbersAtTheirOwnTime() {
    Observer one = latencies.observe(0);
    Observer other = latencies.observe(0);
    sendAt(1_000_000);

    one.found(1_000_000, 1);

    assertThat(one.missing()).isZero();
    assertThat(other.missing()).isEqualTo(1);
  }
}
