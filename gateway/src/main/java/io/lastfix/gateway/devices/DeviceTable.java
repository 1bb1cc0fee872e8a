package io.lastfix.gateway.devices;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a gateway remembers of each device: 28 bytes in arrays, so 38 to 75 bytes with the free
 * slots. It is divided into segments with a lock each, so that growing stops no request for long.
 * For any number of threads.
 */
final class DeviceTable {
  private static final int SEGMENTS = 64;
  private static final int SEGMENT_SHIFT = 58;
  private static final long SCATTER = 0x9E3779B97F4A7C15L;

  /**
   * A device as it is remembered.
   *
   * @param registered false if only a decision about it is known
   * @param details of {@link RegisteredDevice#details()}
   */
  record Row(boolean registered, long details, DeviceState state) {}

  private final Segment[] segments = new Segment[SEGMENTS];

  DeviceTable() {
    Arrays.setAll(segments, i -> new Segment());
  }

  private Segment segment(DeviceId id) {
    return segments[(int) ((id.high() * SCATTER) >>> SEGMENT_SHIFT)];
  }

  @Nullable Row find(DeviceId id) {
    return segment(id).find(id);
  }

  /** The decision about a device, or the initial one. */
  DeviceState state(DeviceId id) {
    Row row = find(id);
    return row == null ? DeviceState.INITIAL : row.state();
  }

  void register(DeviceId id, long details) {
    segment(id).register(id, details);
  }

  /** Registers a device, unless it is registered already. */
  void registerIfAbsent(DeviceId id, long details) {
    segment(id).registerIfAbsent(id, details);
  }

  void unregister(DeviceId id) {
    segment(id).unregister(id);
  }

  void decide(DeviceId id, DeviceState state) {
    segment(id).decide(id, state);
  }

  /** The devices that are registered. */
  int size() {
    return Arrays.stream(segments).mapToInt(Segment::registered).sum();
  }

  /** Open addressing with linear probing; at most three quarters are used. */
  private static final class Segment {
    private static final int FIRST_CAPACITY = 16;
    private static final int REGISTERED = 1;
    private static final int DISABLED = 2;
    private static final int GENERATION_SHIFT = 2;

    private int used;
    private int registered;
    private long[] highs = new long[FIRST_CAPACITY];
    private long[] lows = new long[FIRST_CAPACITY];
    private long[] details = new long[FIRST_CAPACITY];

    /** Generation, disabled, registered; 0 marks a free slot, since generations begin with 1. */
    private int[] states = new int[FIRST_CAPACITY];

    synchronized int registered() {
      return registered;
    }

    synchronized @Nullable Row find(DeviceId id) {
      int slot = slotOf(id);
      return slot < 0 ? null : row(slot);
    }

    private int slotOf(DeviceId id) {
      int slot = slot(id.high(), id.low());
      return states[slot] == 0 ? -1 : slot;
    }

    /** The slot of a device, or the free one where it belongs. */
    private int slot(long high, long low) {
      int mask = states.length - 1;
      int slot = home(low);
      while (states[slot] != 0 && (highs[slot] != high || lows[slot] != low)) {
        slot = (slot + 1) & mask;
      }
      return slot;
    }

    private int home(long low) {
      return (int) ((low * SCATTER) >>> Integer.SIZE) & (states.length - 1);
    }

    private Row row(int slot) {
      int state = states[slot];
      return new Row(
          (state & REGISTERED) != 0,
          details[slot],
          new DeviceState(state >>> GENERATION_SHIFT, (state & DISABLED) != 0));
    }

    synchronized void registerIfAbsent(DeviceId id, long detail) {
      int slot = slotOf(id);
      if (slot < 0 || !row(slot).registered()) {
        register(id, detail);
      }
    }

    synchronized void register(DeviceId id, long detail) {
      int slot = slotForWriting(id);
      if ((states[slot] & REGISTERED) == 0) {
        registered++;
      }
      states[slot] |= REGISTERED;
      details[slot] = detail;
    }

    synchronized void decide(DeviceId id, DeviceState state) {
      int slot = slotOf(id);
      if (slot < 0 && state.equals(DeviceState.INITIAL)) {
        return;
      }
      slot = slotForWriting(id);
      states[slot] = (states[slot] & REGISTERED) | packed(state);
      removeIfMeaningless(slot);
    }

    synchronized void unregister(DeviceId id) {
      int slot = slotOf(id);
      if (slot >= 0 && (states[slot] & REGISTERED) != 0) {
        registered--;
        states[slot] &= ~REGISTERED;
        removeIfMeaningless(slot);
      }
    }

    private static int packed(DeviceState state) {
      return (state.generation() << GENERATION_SHIFT) | (state.disabled() ? DISABLED : 0);
    }

    private int slotForWriting(DeviceId id) {
      int slot = slot(id.high(), id.low());
      if (states[slot] != 0) {
        return slot;
      }
      if (used + 1 > states.length - states.length / 4) {
        grow();
        slot = slot(id.high(), id.low());
      }
      used++;
      highs[slot] = id.high();
      lows[slot] = id.low();
      states[slot] = packed(DeviceState.INITIAL);
      return slot;
    }

    private void grow() {
      long[] oldHighs = highs;
      long[] oldLows = lows;
      long[] oldDetails = details;
      int[] oldStates = states;
      int capacity = oldStates.length * 2;
      highs = new long[capacity];
      lows = new long[capacity];
      details = new long[capacity];
      states = new int[capacity];
      for (int old = 0; old < oldStates.length; old++) {
        if (oldStates[old] != 0) {
          int slot = slot(oldHighs[old], oldLows[old]);
          highs[slot] = oldHighs[old];
          lows[slot] = oldLows[old];
          details[slot] = oldDetails[old];
          states[slot] = oldStates[old];
        }
      }
    }

    /** Frees a slot that says no more than an absent one, and closes the gap behind it. */
    private void removeIfMeaningless(int slot) {
      if (states[slot] != packed(DeviceState.INITIAL)) {
        return;
      }
      int mask = states.length - 1;
      int gap = slot;
      for (int next = (gap + 1) & mask; states[next] != 0; next = (next + 1) & mask) {
        // A device may move to the gap unless its home lies behind the gap.
        if (((next - home(lows[next])) & mask) >= ((next - gap) & mask)) {
          highs[gap] = highs[next];
          lows[gap] = lows[next];
          details[gap] = details[next];
          states[gap] = states[next];
          gap = next;
        }
      }
      states[gap] = 0;
      used--;
    }
  }
}
