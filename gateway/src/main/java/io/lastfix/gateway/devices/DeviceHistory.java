package io.lastfix.gateway.devices;

import io.lastfix.gateway.signature.RefusalReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that was decided about a device, as far as it is kept: what a signature was worth when a
 * gateway received it. A later decision changes nothing about that.
 *
 * @param decisions the oldest first; the last one holds
 */
record DeviceHistory(List<DeviceDecision> decisions) {
  /** Nothing was ever decided. */
  static final DeviceHistory NONE =
      new DeviceHistory(List.of(new DeviceDecision(null, DeviceState.INITIAL)));

  /** The decisions before the one that holds, as many as a message keeps. */
  static final int MOST_EARLIER = 16;

  /** The decision that holds. */
  DeviceDecision last() {
    return decisions.get(decisions.size() - 1);
  }

  /** The newest decisions before the last one. */
  List<DeviceDecision> earlier() {
    int end = decisions.size() - 1;
    return decisions.subList(Math.max(0, end - MOST_EARLIER), end);
  }

  /** With one more decision. */
  DeviceHistory with(DeviceState state, Instant at) {
    List<DeviceDecision> all = new ArrayList<>(decisions);
    all.add(new DeviceDecision(at, state));
    return new DeviceHistory(all);
  }

  /**
   * Why no gateway can have accepted a secret; null if one can.
   *
   * @param received by the gateway's clock
   * @param grace how much later a gateway may hear of a decision, and how far clocks differ
   */
  @Nullable RefusalReason refusal(int generation, Instant received, Duration grace) {
    Instant from = received.minus(grace);
    Instant to = received.plus(grace);
    DeviceDecision first = decisions.get(0);
    boolean isOlderThanAllKept = first.since() != null && !first.since().isBefore(from);
    if (isOlderThanAllKept && generation <= first.state().generation()) {
      return null;
    }
    // Generations only grow, so a later one was not returned then.
    RefusalReason refusal = RefusalReason.UNKNOWN_KEY;
    for (int i = 0; i < decisions.size(); i++) {
      Instant since = decisions.get(i).since();
      Instant end = i + 1 < decisions.size() ? decisions.get(i + 1).since() : null;
      if ((since == null || !since.isAfter(to)) && (end == null || !end.isBefore(from))) {
        refusal = refusal(decisions.get(i).state(), generation);
        if (refusal == null) {
          return null;
        }
      }
    }
    return refusal;
  }

  private static @Nullable RefusalReason refusal(DeviceState state, int generation) {
    if (state.disabled()) {
      return RefusalReason.DEVICE_DISABLED;
    }
    if (generation == state.generation()) {
      return null;
    }
    return generation < state.generation()
        ? RefusalReason.REVOKED_GENERATION
        : RefusalReason.UNKNOWN_KEY;
  }
}
