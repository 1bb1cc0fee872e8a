package io.lastfix.parse;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.RejectionReason;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

class ParseMetricsTest {
  /** Keeps the counters of a group and of the groups in it by their names, joined by dots. */
  private static final class CounterKeepingGroup extends UnregisteredMetricsGroup {
    private final String prefix;
    private final Map<String, Counter> counters;

    CounterKeepingGroup(String prefix, Map<String, Counter> counters) {
      this.prefix = prefix;
      this.counters = counters;
    }

    @Override
    public Counter counter(String name) {
      Counter counter = super.counter(name);
      counters.put(prefix + name, counter);
      return counter;
    }

    @Override
    public MetricGroup addGroup(String name) {
      return new CounterKeepingGroup(prefix + name + ".", counters);
    }
  }

  @Test
  void theSumsHold() {
    Map<String, Counter> counters = new TreeMap<>();
    ParseMetrics metrics = new ParseMetrics(new CounterKeepingGroup("", counters));
    metrics.message(new RawMessage("t", 0, 1, null, new byte[9]));
    metrics.message(new RawMessage("t", 0, 2, null, null));
    metrics.positionIgnored.inc();
    metrics.cellIgnored.inc();
    metrics.records.inc();
    metrics.notRecords.inc(2);
    metrics.rejected(new Rejection(RejectionReason.MISSING_FIELD, "one"));
    metrics.rejected(new Rejection(RejectionReason.TOO_MANY_RECORDS, "several", 7));

    Map<String, Long> counted =
        counters.entrySet().stream()
            .filter(entry -> entry.getValue().getCount() > 0)
            .collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue().getCount()));
    assertThat(counted)
        .isEqualTo(
            Map.of(
                "messages", 2L,
                "bytes", 9L,
                "records", 1L,
                "positionIgnored", 1L,
                "cellIgnored", 1L,
                "recordsRejected", 8L,
                "notRecords", 2L,
                "rejected.missing-field", 1L,
                "rejected.too-many-records", 7L));
    assertThat(metrics.counted().in()).isEqualTo(11);
    assertThat(metrics.counted().notRecords()).isEqualTo(2);
  }
}
