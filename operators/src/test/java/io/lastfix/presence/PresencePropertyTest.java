package io.lastfix.presence;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.device.DeviceUsage;
import io.lastfix.model.device.HeartbeatMessage.Heartbeat;
import io.lastfix.model.device.HeartbeatMessage.RecordSign;
import io.lastfix.model.device.HeartbeatMessage.Tick;
import io.lastfix.presence.PresenceOracle.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Presence is a pure function of the topic: whatever order partitions are read in, whenever the
 * watermark moves and the job restarts, with whatever parallelism, the changes are those of {@link
 * PresenceOracle}.
 */
class PresencePropertyTest {
  /** Noon: all messages of a run are of one day. */
  private static final long START = 1_795_176_000_000L;

  private static final int DEVICES = 6;

  @Property(tries = 400)
  void theChangesAreThoseOfAReadingOfTheTopicOnce(
      @ForAll long topicSeed,
      @ForAll long runSeed,
      @ForAll @IntRange(min = 1, max = 3) int count,
      @ForAll boolean forgets)
      throws Exception {
    PresenceOptions options = PresenceHarness.options(forgets ? Duration.ofMinutes(1) : null);
    List<List<Entry>> topic = topic(new Random(topicSeed), count);
    PresenceOracle oracle = new PresenceOracle(options, topic);

    // The second one is a replay.
    Map<String, List<String>> first = run(options, topic, new Random(runSeed), oracle);
    Map<String, List<String>> replay = run(options, topic, new Random(runSeed + 1), oracle);

    assertThat(first).isEqualTo(oracle.changes);
    assertThat(replay).isEqualTo(oracle.changes);
  }

  private static Map<String, List<String>> run(
      PresenceOptions options, List<List<Entry>> topic, Random random, PresenceOracle oracle)
      throws Exception {
    try (PresenceHarness harness = new PresenceHarness(options, topic.size())) {
      int[] next = new int[topic.size()];
      List<Integer> open = new ArrayList<>();
      for (int partition = 0; partition < topic.size(); partition++) {
        open.add(partition);
      }
      while (!open.isEmpty()) {
        int partition = open.get(random.nextInt(open.size()));
        int batch = 1 + random.nextInt(30);
        for (int i = 0; i < batch && next[partition] < topic.get(partition).size(); i++) {
          send(harness, partition, topic.get(partition).get(next[partition]++));
        }
        if (next[partition] == topic.get(partition).size()) {
          open.remove((Integer) partition);
        }
        if (random.nextInt(3) == 0) {
          harness.watermark();
        }
        if (random.nextInt(12) == 0) {
          harness.restore(1 + random.nextInt(4));
        }
      }
      harness.watermark();
      if (options.forgetAfter() == null) {
        assertUsage(harness.usage(), oracle.bytes, options.usageStepBytes());
      }
      Map<String, List<String>> changes = new TreeMap<>();
      harness
          .changes()
          .forEach(
              change ->
                  changes
                      .computeIfAbsent(change.device(), device -> new ArrayList<>())
                      .add(change.state().text() + "@" + change.sinceMillis()));
      return changes;
    }
  }

  /** The last usage that was put out is within a step of all bytes. */
  private static void assertUsage(
      List<DeviceUsage> found, Map<String, Long> expected, long stepBytes) {
    Map<String, Long> last = new TreeMap<>();
    found.forEach(usage -> last.merge(usage.device(), usage.bytes(), Math::max));
    expected.forEach(
        (device, bytes) ->
            assertThat(bytes - last.getOrDefault(device, 0L)).isBetween(0L, stepBytes - 1));
  }

  private static void send(PresenceHarness harness, int partition, Entry entry) throws Exception {
    if (entry.device() == null) {
      harness.message(partition, entry.appendMillis(), null, new Tick("g"));
    } else if (entry.intervalSeconds() == 0) {
      harness.message(
          partition, entry.appendMillis(), entry.device(), new RecordSign(entry.bytes(), null));
    } else {
      harness.message(
          partition,
          entry.appendMillis(),
          entry.device(),
          new Heartbeat(entry.bytes(), 1, entry.intervalSeconds(), null, null, null, null));
    }
  }

  /**
   * Partitions whose times lie apart, with outages, and with a clock that goes back now and then.
   */
  private static List<List<Entry>> topic(Random random, int partitions) {
    List<List<Entry>> topic = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      List<Entry> entries = new ArrayList<>();
      long now = START + random.nextInt(40_000);
      int size = 1 + random.nextInt(150);
      for (int i = 0; i < size; i++) {
        now += step(random);
        entries.add(entry(random, partition, partitions, now));
      }
      topic.add(entries);
    }
    return topic;
  }

  private static long step(Random random) {
    return switch (random.nextInt(20)) {
      case 0 -> 15_001 + random.nextInt(200_000);
      case 1 -> -random.nextInt(3_000);
      case 2 -> 15_000;
      case 3 -> 0;
      default -> random.nextInt(6_000);
    };
  }

  private static Entry entry(Random random, int partition, int partitions, long now) {
    if (random.nextInt(2) == 0) {
      return new Entry(null, now, 0, 0);
    }
    String device = "device-" + partition + "-" + random.nextInt(DEVICES / partitions);
    int interval = random.nextInt(3) == 0 ? 1 + random.nextInt(20) : 0;
    return new Entry(device, now, interval, random.nextInt(400));
  }
}
