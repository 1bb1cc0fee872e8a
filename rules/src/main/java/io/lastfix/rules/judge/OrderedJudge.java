package io.lastfix.rules.judge;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.alert.Alert;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Judges devices whose records come in the order of {@code LocatedRecordOrder}, as the rules job
 * would if none came late. It keeps what is needed of each device in memory. Not thread-safe.
 *
 * <p>A device's watermark follows its own records: all before a record have come. So neither other
 * devices nor the order in which devices are read change the result.
 */
public final class OrderedJudge {
  private final DeviceJudge judge;
  private final RuleSet rules;
  private final long sinceMillis;
  private final Consumer<Alert> alerts;
  private final Map<String, Device> devices = new HashMap<>();
  private long withheld;
  private long undecided;
  private long failed;

  /**
   * A device between two records.
   *
   * @param dueMillis as of {@link Judgement}
   */
  private record Device(DeviceState state, long dueMillis) {}

  /**
   * Judges by rules that do not change.
   *
   * @param sinceMillis of an earlier record only the position counts: the rules began then
   * @param alerts receives the alerts, each user's in the order in which they are confirmed
   */
  public OrderedJudge(
      JudgeOptions options, RuleSet rules, long sinceMillis, Consumer<Alert> alerts) {
    judge = new DeviceJudge(options);
    this.rules = rules;
    this.sinceMillis = sinceMillis;
    this.alerts = alerts;
  }

  /** Judges a record. One without a position, or not newer than the device's last, is skipped. */
  public void judge(LocatedRecord record) {
    String user = record.user();
    long watermark = record.timestampMillis() - 1;
    advance(user, watermark);
    Device device = devices.get(user);
    DeviceState before = device == null ? null : device.state();
    if (DeviceJudge.isNewer(record, before == null ? null : before.last())) {
      RuleSet inForce = record.timestampMillis() < sinceMillis ? RuleSet.EMPTY : rules;
      take(user, judge.judge(before, record, inForce, watermark));
    }
  }

  /**
   * Judges what counts without a further record.
   *
   * @param watermark no device has a further record up to it
   */
  public void end(long watermark) {
    List.copyOf(devices.keySet()).forEach(user -> advance(user, watermark));
  }

  private void advance(String user, long watermark) {
    Device device = devices.get(user);
    while (device != null && device.dueMillis() <= watermark) {
      take(user, judge.onTimer(device.state(), rules, device.dueMillis()));
      device = devices.get(user);
    }
  }

  private void take(String user, Judgement judgement) {
    DeviceState state = judgement.state();
    if (state == null) {
      devices.remove(user);
    } else {
      devices.put(user, new Device(state, judgement.dueMillis()));
    }
    judgement.alerts().forEach(alerts);
    withheld += judgement.withheld();
    undecided += judgement.undecided();
    for (int count : judgement.failed().values()) {
      failed += count;
    }
  }

  /** Returns whether something is kept of a user's device. */
  public boolean has(String user) {
    return devices.containsKey(user);
  }

  /** Returns the number of devices of which something is kept. */
  public int devices() {
    return devices.size();
  }

  /** Returns how many matches were only counted because of {@code quiet}. */
  public long withheld() {
    return withheld;
  }

  /** Returns how many conditions a value would decide that the record lacks. */
  public long undecided() {
    return undecided;
  }

  /** Returns how many expressions could not be computed. */
  public long failed() {
    return failed;
  }
}
