package io.lastfix.gateway.devices;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class DeviceTableTest {
  private enum Verb {
    REGISTER,
    REGISTER_IF_ABSENT,
    UNREGISTER,
    ROTATE,
    DISABLE,
    RESET
  }

  private record Step(Verb verb, int device, long details) {}

  @Provide
  Arbitrary<List<Step>> steps() {
    return Combinators.combine(
            Arbitraries.of(Verb.class),
            Arbitraries.integers().between(0, 60),
            Arbitraries.longs().between(0, 3))
        .as(Step::new)
        .list()
        .ofMaxSize(400);
  }

  @Property(tries = 2_000)
  void theTableIsAMap(@ForAll("steps") List<Step> steps) {
    DeviceTable table = new DeviceTable();
    Map<DeviceId, Long> registered = new HashMap<>();
    Map<DeviceId, DeviceState> decided = new HashMap<>();
    for (Step step : steps) {
      DeviceId id = collidingId(step.device());
      DeviceState state = decided.getOrDefault(id, DeviceState.INITIAL);
      switch (step.verb()) {
        case REGISTER -> {
          table.register(id, step.details());
          registered.put(id, step.details());
        }
        case REGISTER_IF_ABSENT -> {
          table.registerIfAbsent(id, step.details());
          registered.putIfAbsent(id, step.details());
        }
        case UNREGISTER -> {
          table.unregister(id);
          registered.remove(id);
        }
        case ROTATE -> decide(table, decided, id, state.rotated());
        case DISABLE -> decide(table, decided, id, state.withDisabled(true));
        case RESET -> decide(table, decided, id, DeviceState.INITIAL);
      }
    }

    assertThat(table.size()).isEqualTo(registered.size());
    for (int device = 0; device <= 60; device++) {
      DeviceId id = collidingId(device);
      assertThat(table.state(id)).isEqualTo(decided.getOrDefault(id, DeviceState.INITIAL));
      DeviceTable.Row row = table.find(id);
      assertThat(row != null && row.registered()).isEqualTo(registered.containsKey(id));
      if (row != null && row.registered()) {
        assertThat(row.details()).isEqualTo(registered.get(id));
      }
    }
  }

  /** All in one segment, and in few places of it. */
  private static DeviceId collidingId(int device) {
    return new DeviceId(7, device % 8 + ((long) (device / 8) << 40));
  }

  private static void decide(
      DeviceTable table, Map<DeviceId, DeviceState> decided, DeviceId id, DeviceState state) {
    table.decide(id, state);
    decided.put(id, state);
  }

  @Test
  void aMillionDevicesTakeAtMostSeventyFiveBytesEach() {
    int count = 1_000_000;
    Random random = new Random(1);
    long before = usedHeap();
    DeviceTable table = new DeviceTable();
    for (int i = 0; i < count; i++) {
      table.register(new DeviceId(random.nextLong(), random.nextLong()), i);
    }
    long bytes = usedHeap() - before;

    assertThat(table.size()).isEqualTo(count);
    System.out.printf("%d devices: %.1f bytes each%n", count, (double) bytes / count);
    // With room for what else the JVM allocates meanwhile.
    assertThat(bytes).isLessThan(count * 80L);
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
