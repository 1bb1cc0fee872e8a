package io.lastfix.catalogs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.lastfix.model.CellEntry;
import io.lastfix.model.Revision;
import io.lastfix.parse.HostileCellEntries;
import io.lastfix.parse.HostileCellEntries.HostileCellEntry;
import io.lastfix.parse.Mutations;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hostile bytes in the catalogue's topic: the function accepts or rejects each message, at a
 * bounded cost.
 */
class HostileCellEntriesTest {
  private static final long SEED = 20261121;

  /** With {@code -Pchaos} the long run. */
  private static final int MUTATIONS = Boolean.getBoolean("lastfix.chaos") ? 1_000_000 : 20_000;

  private static final Duration LONGEST = Duration.ofSeconds(5);
  private static final long ALLOCATION_BASE = 2 << 20;
  private static final int ALLOCATION_FACTOR = 100;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  static List<HostileCellEntry> corpus() {
    return HostileCellEntries.all();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("corpus")
  void aHostileMessageIsAnEntryOrRefused(HostileCellEntry message) {
    assertThat(outcome(message.key(), message.value())).isEqualTo(message.reason());
  }

  @Test
  void mutatedMessagesAreEntriesOrRefused() {
    Mutations mutations = new Mutations(new Random(SEED), HostileCellEntries.valid());
    TreeMap<String, Integer> outcomes = new TreeMap<>();
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] key = i % 2 == 0 ? HostileCellEntries.CELL.getBytes(UTF_8) : null;
      String reason = outcome(key, mutations.next());
      outcomes.merge(reason == null ? "entry" : reason, 1, Integer::sum);
    }
    System.out.printf("[hostile] catalogue: %,d messages, %s%n", MUTATIONS, outcomes);
    assertThat(outcomes.keySet()).contains("entry", "malformed", "bad-value");
  }

  /** Returns the code of the reason; null if the message is an entry. */
  private @Nullable String outcome(byte @Nullable [] key, byte @Nullable [] value) {
    long thread = Thread.currentThread().getId();
    long allocated = threads.getThreadAllocatedBytes(thread);
    long nanos = threads.getCurrentThreadCpuTime();
    CellEntry entry = null;
    String reason = null;
    try {
      entry = CellEntryJson.read(key, value, Revision.OLDEST);
    } catch (CellEntryException e) {
      reason = e.reason().code();
      assertThat(e).hasMessageMatching("(?s)(key|value|/.*): .+");
      assertThat(String.valueOf(e.getMessage()).length()).isLessThan(300);
    }
    assertThat(threads.getCurrentThreadCpuTime() - nanos).isLessThan(LONGEST.toNanos());
    assertThat(threads.getThreadAllocatedBytes(thread) - allocated)
        .as("bytes allocated")
        .isLessThan(ALLOCATION_BASE + ALLOCATION_FACTOR * (long) CellEntryJson.MAX_BYTES);
    if (entry != null) {
      assertSurvivesARoundTrip(entry);
    }
    return reason;
  }

  private static void assertSurvivesARoundTrip(CellEntry entry) {
    try {
      assertThat(
              CellEntryJson.read(
                  CellEntryJson.key(entry), CellEntryJson.value(entry), Revision.OLDEST))
          .isEqualTo(entry);
    } catch (CellEntryException e) {
      throw new AssertionError("what was read cannot be written and read again", e);
    }
  }
}
