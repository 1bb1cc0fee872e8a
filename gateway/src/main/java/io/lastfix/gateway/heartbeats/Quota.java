package io.lastfix.gateway.heartbeats;

import io.lastfix.gateway.config.QuotaOptions;
import io.lastfix.gateway.kafka.Stored;
import io.lastfix.model.device.DeviceUsage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bytes that a device may push in a UTC day through all gateways together.
 *
 * <p>The devices job counts what all gateways report, and publishes each device's usage. A gateway
 * adds to it what it has accepted itself and the job has not counted yet: everything whose sign of
 * life lies behind the published offset. The number of such bytes at the other gateways is not
 * known. So with several gateways, each takes only its share of the rest until the job has counted
 * it. If all do so at once, the sum exceeds the quota by a two-hundredth at most. After restarts it
 * exceeds it by as much again, since they forget less than the job's step of publication. A single
 * request may always have the whole rest; otherwise a large body would never pass.
 *
 * <p>The job publishes a usage only at each step, so the last bytes of a device may stay below it,
 * and would hold back the next request until midnight. {@link #startAsking} returns whether the
 * count has to be requested from the job.
 *
 * <p>Memory is bounded: without signatures a client can name any device. So beyond a number of
 * devices a day, further ones are not counted, and not limited. Of each device, bytes that the job
 * has not counted are remembered in a few pieces: of the tolerance, and larger ones if the job is
 * far behind, or does not run. A piece counts as a whole until its last sign is counted.
 *
 * <p>Thread-safe, and never blocks.
 */
public final class Quota {
  private static final Logger LOG = LoggerFactory.getLogger(Quota.class);

  /** The tolerated excess is the quota divided by this. */
  static final int TOLERANCE_PARTS = 200;

  /** Of the bytes of a device that the job has not counted. */
  private static final int MAX_PIECES = 8;

  private final QuotaOptions options;

  /** Bytes a device and day: a long, since sums are compared with it. */
  private final long limit;

  private final AtomicLong uncounted = new AtomicLong();
  private final InstantSource clock;
  private final Map<String, Used> devices = new ConcurrentHashMap<>();

  /** Those whose last record was refused because their quota is used up, and the day of that. */
  private final Map<String, Long> over = new ConcurrentSkipListMap<>();

  /** What the job has counted for the day that has not begun by this gateway's clock. */
  private final Map<String, DeviceUsage> nextDay = new ConcurrentHashMap<>();

  /** How often a device got into {@link #over} on that day. */
  private final AtomicInteger exhausted = new AtomicInteger();

  /** The day of {@link #devices}. */
  private final AtomicLong day;

  /**
   * A quota.
   *
   * @param options its bytes, the gateways that share it, and the devices that are counted
   */
  public Quota(QuotaOptions options, InstantSource clock) {
    this.options = options;
    limit = options.bytesPerDay();
    this.clock = clock;
    day = new AtomicLong(today());
  }

  /** The decision about a request. */
  public sealed interface Decision {}

  /**
   * The request is refused.
   *
   * @param limit of the day
   * @param used of it, as far as is known to this gateway
   * @param untilReset until the day's end; zero if the job has to count first, which takes a moment
   */
  public record Refused(long limit, long used, Duration untilReset) implements Decision {}

  /** The request's bytes are counted. One of its methods has to be called, once. */
  public final class Granted implements Decision {
    private final String device;
    private final int bytes;
    private final long epochDay;

    private Granted(String device, int bytes, long epochDay) {
      this.device = device;
      this.bytes = bytes;
      this.epochDay = epochDay;
    }

    /** The request's sign of life is stored there. */
    public void stored(Stored sign) {
      change(used -> used.sent(sign, bytes, limit / TOLERANCE_PARTS));
    }

    /**
     * The request was accepted, but the job never hears of its bytes: they count at this gateway
     * only, until the day's end.
     */
    public void countedHereOnly() {
      change(
          used -> {
            used.uncounted -= bytes;
            used.here += bytes;
          });
    }

    /** The request was not accepted after all. */
    public void notAccepted() {
      change(used -> used.uncounted -= bytes);
    }

    private void change(Consumer<Used> change) {
      changeOn(epochDay, device, change);
    }
  }

  /** What a device has used on a day. Changed only within the map's compute. */
  private static final class Used {
    private final long epochDay;
    private long published;
    private int partition = -1;
    private long offset = -1;
    private long uncounted;

    /** Accepted, and never reported to the job. */
    private long here;

    /** The count was requested from the job, which has not answered. */
    private boolean isAsking;

    private final Pieces sent = new Pieces();

    Used(long epochDay) {
      this.epochDay = epochDay;
    }

    long known() {
      return published + uncounted + here;
    }

    /**
     * Bytes in one piece count as uncounted until its last sign is counted. Kafka's client does not
     * know each offset after a retry (-1): such a sign is taken for counted at the next
     * publication.
     */
    void sent(Stored sign, int bytes, long piece) {
      if (sign.offset() >= 0 && sign.partition() == partition && sign.offset() <= offset) {
        uncounted -= bytes;
      } else {
        sent.add(sign, bytes, piece);
      }
    }

    void publish(DeviceUsage usage) {
      published = Math.max(published, usage.bytes());
      counted(usage);
    }

    /** The job has counted all signs up to that one, on whichever day. */
    void counted(DeviceUsage usage) {
      if (usage.partition() == partition && usage.offset() < offset) {
        return;
      }
      partition = usage.partition();
      offset = usage.offset();
      isAsking = false;
      uncounted -= sent.removeUpTo(partition, offset);
    }
  }

  /**
   * Bytes that the job has not counted, by the offset of their last sign: at most {@link
   * #MAX_PIECES} pieces, so that a device costs the same whether or not the job counts. All are in
   * one partition, which is that of the device.
   */
  private static final class Pieces {
    private static final long[] NOTHING = {};

    private int partition = -1;
    private int count;
    private long[] offsets = NOTHING;
    private long[] bytes = NOTHING;

    /**
     * Adds a sign to the newest piece, or as a piece of its own.
     *
     * @param piece the largest piece that a sign is added to
     */
    void add(Stored sign, int size, long piece) {
      if (sign.partition() != partition) {
        // The topic got more partitions. Former pieces wait for a count in this one: too long.
        partition = sign.partition();
        while (count > 1) {
          mergeWithNext(0);
        }
        if (count == 1) {
          offsets[0] = sign.offset();
        }
      }
      if (count > 0 && bytes[count - 1] + size <= piece) {
        bytes[count - 1] += size;
        offsets[count - 1] = Math.max(offsets[count - 1], sign.offset());
        return;
      }
      if (count == MAX_PIECES) {
        mergeWithNext(smallestPair());
      }
      if (count == offsets.length) {
        int capacity = Math.min(MAX_PIECES, Math.max(1, 2 * count));
        offsets = Arrays.copyOf(offsets, capacity);
        bytes = Arrays.copyOf(bytes, capacity);
      }
      offsets[count] = sign.offset();
      bytes[count] = size;
      count++;
    }

    /** The first of two neighbours that are the smallest together. */
    private int smallestPair() {
      int smallest = 0;
      for (int i = 1; i + 1 < count; i++) {
        if (bytes[i] + bytes[i + 1] < bytes[smallest] + bytes[smallest + 1]) {
          smallest = i;
        }
      }
      return smallest;
    }

    private void mergeWithNext(int index) {
      bytes[index + 1] += bytes[index];
      offsets[index + 1] = Math.max(offsets[index], offsets[index + 1]);
      remove(index);
    }

    private void remove(int index) {
      count--;
      System.arraycopy(offsets, index + 1, offsets, index, count - index);
      System.arraycopy(bytes, index + 1, bytes, index, count - index);
    }

    /** Removes what the job has counted, and returns how many bytes that is. */
    long removeUpTo(int countedPartition, long countedOffset) {
      long counted = 0;
      for (int i = count - 1; i >= 0; i--) {
        // In another partition: a device's signs changed over. No offset would ever cover the
        // former ones.
        if (partition != countedPartition || offsets[i] <= countedOffset) {
          counted += bytes[i];
          remove(i);
        }
      }
      return counted;
    }
  }

  /** Decides about a request, and counts the bytes of its message if it is granted. */
  public Decision request(String device, int bytes) {
    return decide(device, bytes, true);
  }

  /**
   * Decides on bytes that cannot be sent again later. They are refused only if the quota is used up
   * as far as this gateway knows: with several gateways, the sum may exceed it by what the others
   * have accepted and the job has not counted yet.
   */
  public Decision requestUnshared(String device, int bytes) {
    return decide(device, bytes, false);
  }

  private Decision decide(String device, int bytes, boolean isShared) {
    long epochDay = startDay();
    if (isFullFor(device)) {
      uncounted.incrementAndGet();
      return new Granted(device, bytes, epochDay);
    }
    @Nullable Decision[] decision = new Decision[1];
    boolean[] isNewlyOver = new boolean[1];
    devices.compute(
        device,
        (name, before) -> {
          Used used = before == null || before.epochDay < epochDay ? new Used(epochDay) : before;
          Refused refused = refusal(used, bytes, isShared);
          if (refused == null) {
            used.uncounted += bytes;
            // It was over for a large record only.
            over.remove(name);
          } else if (!refused.untilReset().isZero()) {
            isNewlyOver[0] = !Objects.equals(over.put(name, used.epochDay), used.epochDay);
          }
          decision[0] = refused == null ? new Granted(device, bytes, used.epochDay) : refused;
          return used;
        });
    // A line for each would fill the log, and name devices; /ready names them on this machine.
    if (isNewlyOver[0] && Integer.bitCount(exhausted.incrementAndGet()) == 1) {
      LOG.warn(
          "quotas of {} bytes a UTC day (quota.bytes-per-day) used up so far today: {}; further records of these devices are refused, over MQTT dropped",
          limit,
          exhausted);
    }
    Decision made = decision[0];
    if (made == null) {
      throw new IllegalStateException("compute() did not call its function");
    }
    return made;
  }

  private @Nullable Refused refusal(Used used, int bytes, boolean isShared) {
    long known = used.known();
    if (known + bytes > limit) {
      return new Refused(limit, known, untilMidnight());
    }
    long share = (limit - used.published + limit / TOLERANCE_PARTS) / options.gateways();
    boolean isAlone = !isShared || options.gateways() == 1 || used.uncounted == 0;
    return isAlone || used.uncounted + bytes <= share
        ? null
        : new Refused(limit, known, Duration.ZERO);
  }

  /**
   * Returns whether the caller has to request a device's count from the job. It has to if a record
   * was refused until then, and no other thread is requesting the count. A sign of life of 0 bytes
   * requests it.
   */
  public boolean startAsking(String device) {
    boolean[] isStarted = new boolean[1];
    change(
        device,
        used -> {
          isStarted[0] = !used.isAsking;
          used.isAsking = true;
        });
    return isStarted[0];
  }

  /** The request is lost: the next refusal repeats it. */
  public void askedInVain(String device) {
    change(device, used -> used.isAsking = false);
  }

  /**
   * Takes over what the devices job has counted. Its days begin by the broker's clock, so it may
   * have counted what this gateway has granted today for the day before, and other bytes for the
   * next day.
   */
  public void published(DeviceUsage usage) {
    long epochDay = startDay();
    long usageDay = usage.day().toEpochDay();
    if (usageDay == epochDay) {
      publish(usage, epochDay);
    } else if (usageDay < epochDay) {
      changeOn(epochDay, usage.device(), used -> used.counted(usage));
    } else if (usageDay == epochDay + 1
        && (nextDay.size() < options.maxDevices() || nextDay.containsKey(usage.device()))) {
      nextDay.put(usage.device(), usage);
      // The day may have begun since the first line, and have taken over what was there before.
      if (startDay() == usageDay && nextDay.remove(usage.device(), usage)) {
        publish(usage, usageDay);
      }
    }
  }

  private void publish(DeviceUsage usage, long epochDay) {
    if (!isFullFor(usage.device())) {
      devices.compute(
          usage.device(),
          (name, before) -> {
            Used used = before == null || before.epochDay < epochDay ? new Used(epochDay) : before;
            if (used.epochDay == epochDay) {
              used.publish(usage);
            } else {
              used.counted(usage);
            }
            return used;
          });
    }
  }

  /** The devices whose last record was refused today because their quota is used up, by name. */
  public List<String> over() {
    long epochDay = startDay();
    return over.entrySet().stream()
        .filter(it -> it.getValue() == epochDay)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The devices that have used something today. */
  public int devices() {
    return devices.size();
  }

  /** What a device's bytes that the job has not counted are remembered in. */
  int pieces(String device) {
    int[] count = new int[1];
    change(device, used -> count[0] = used.sent.count);
    return count[0];
  }

  /** Records of devices beyond the number that is counted. */
  public long uncounted() {
    return uncounted.get();
  }

  /** Changes what a device has used, if it has used anything. */
  private void change(String device, Consumer<Used> change) {
    devices.computeIfPresent(
        device,
        (name, used) -> {
          change.accept(used);
          return used;
        });
  }

  private void changeOn(long epochDay, String device, Consumer<Used> change) {
    change(
        device,
        used -> {
          if (used.epochDay == epochDay) {
            change.accept(used);
          }
        });
  }

  /** A few more may be added at the same moment. */
  private boolean isFullFor(String device) {
    return devices.size() >= options.maxDevices() && !devices.containsKey(device);
  }

  /** Forgets the day before, and begins with what is known of the new one; once. */
  private long startDay() {
    long now = today();
    long before = day.get();
    if (now > before && day.compareAndSet(before, now)) {
      devices.values().removeIf(used -> used.epochDay < now);
      over.values().removeIf(last -> last < now);
      exhausted.set(0);
      nextDay
          .values()
          .removeIf(
              usage -> {
                if (usage.day().toEpochDay() == now) {
                  publish(usage, now);
                }
                return true;
              });
    }
    return Math.max(now, before);
  }

  private long today() {
    return LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC).toEpochDay();
  }

  private Duration untilMidnight() {
    Instant now = clock.instant();
    return Duration.between(now, now.truncatedTo(ChronoUnit.DAYS).plus(1, ChronoUnit.DAYS));
  }
}
