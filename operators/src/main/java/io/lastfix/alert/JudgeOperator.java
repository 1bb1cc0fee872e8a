package io.lastfix.alert;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.alert.Alert;
import io.lastfix.model.device.Presence;
import io.lastfix.privacy.ErasureListFollower;
import io.lastfix.rules.follow.RuleFollower;
import io.lastfix.rules.judge.DeviceJudge;
import io.lastfix.rules.judge.DeviceState;
import io.lastfix.rules.judge.JudgeOptions;
import io.lastfix.rules.judge.Judgement;
import io.lastfix.rules.judge.RuleSet;
import io.lastfix.rules.judge.Standing;
import io.lastfix.rules.topic.RuleMessage;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.IOUtils;
import org.apache.flink.util.function.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges the records of users by rules; {@link DeviceJudge} has the semantics.
 *
 * <p><b>Input:</b> located records by user, and changes of presence by device, which is the user of
 * its own records. <b>Output:</b> alerts, with the instant at which they counted as the stream
 * timestamp.
 *
 * <p><b>Event time</b> is that of the records alone: a topic of changes is quiet for hours, and its
 * messages say nothing about when the next one comes. Until the job has read a record, no silence
 * counts. It follows the clock if no record comes, but waits for the {@link UpstreamProgress}:
 * otherwise all users would fall silent while the job before this one stands still.
 *
 * <p><b>Rules</b> come from a {@link RuleFollower}, in no checkpoint: {@link #open()} waits until
 * they are read, so the first record meets all of them. The follower's thread sends each change as
 * a mail to the task, which takes it between two records, also while the input is held back. Of
 * several changes that wait, only the newest counts. The mail acknowledges the change: from then on
 * each record meets the new rules.
 *
 * <p>If a fence has changed, it also begins to settle the devices that have {@link Standings}. If a
 * rule about silence is new, it visits all devices instead, since silent ones have to be woken up
 * for it. Further mails continue with some devices each, so that records are read in between. The
 * record or timer of a device that is not settled yet settles it. So a checkpoint may come at any
 * time: after a restore, all devices are visited anyway. The fences and the rules may have changed
 * while the job was down.
 *
 * <p><b>State per key:</b> {@link LastJudged}, {@link Standings} if there are any, and a timer for
 * the instant at which something counts without a record. A record does not move the timer to a
 * later time: it is set again when it fires. Silent devices are forgotten after {@link
 * JudgeOptions#forgetAfter()}.
 *
 * <p><b>State per subtask:</b> the watermark. After a restore it would be unknown, and records that
 * come late would be confirmed before their {@code for}.
 *
 * <p><b>Erasure:</b> if a user is erased, the state from before counts no more. The first record
 * after the last erased timestamp is that of a new device. What a timer or a changed fence would
 * result in is dropped with the state. The sinks withhold the alerts of erased timestamps.
 *
 * <p>A rule whose expressions fail on too many records is paused for all ({@link FailingRules}).
 *
 * <p>This is an operator and not a function, because only an operator has a mailbox and can visit
 * all keys. Metrics: {@link JudgeMetrics}.
 */
public final class JudgeOperator extends AbstractStreamOperator<Alert>
    implements TwoInputStreamOperator<LocatedRecord, Presence, Alert>,
        Triggerable<String, VoidNamespace> {
  private static final Logger JUDGE_LOG = LoggerFactory.getLogger(JudgeOperator.class);

  private static final String BY = "job";
  private static final String REASON =
      "failed on %d records in a minute".formatted(FailingRules.MOST_RECORDS + 1);

  /** How many devices a mail settles. The task reads one record between two mails. */
  static final int DEVICES_AT_ONCE = 100;

  private final ValueStateDescriptor<LastJudged> lastDescriptor =
      new ValueStateDescriptor<>("last", new LastJudgedSerializer());

  private final ValueStateDescriptor<Standings> standingsDescriptor =
      new ValueStateDescriptor<>("standings", new StandingsSerializer());

  private final JudgeOptions options;
  private final UpstreamProgress.Opener upstream;
  private final RuleFollower.Opener follower;
  private final ErasureListFollower.Opener erasureList;

  private transient ValueState<LastJudged> last;
  private transient ValueState<Standings> standings;
  private transient ListState<Long> watermarks;

  /** The greatest one of the attempts that this one continues. */
  private transient long restoredWatermark;

  private transient InternalTimerService<VoidNamespace> timers;
  private transient MailboxExecutor mailbox;
  private transient DeviceJudge judge;
  private transient JudgeMetrics judgeMetrics;
  private transient FailingRules failing;
  private transient @Nullable UpstreamProgress progress;
  private transient @Nullable ErasureListFollower erased;
  private transient RuleFollower.@Nullable Subscription subscription;

  /** In use. */
  private transient RuleSet rules;

  /** After the last message that is in {@link #rules}. */
  private transient long offset;

  /** The newest change that waits for its mail; null if none waits. */
  private transient AtomicReference<@Nullable Change> change;

  /** Whether fences may have changed since the devices were settled. */
  private transient boolean isUnsettled;

  /** Whether rules about silence may have come since all devices were visited. */
  private transient boolean hasNewSilences;

  /** Of the devices that are settled now, by a mail that waits; null: there is none. */
  private transient @Nullable DeviceVisit visit;

  /** What the follower has sent. */
  private record Change(RuleSet rules, long offset) {}

  JudgeOperator(
      JudgeOptions options,
      UpstreamProgress.Opener upstream,
      RuleFollower.Opener follower,
      ErasureListFollower.Opener erasureList) {
    this.options = options;
    this.upstream = upstream;
    this.follower = follower;
    this.erasureList = erasureList;
  }

  /**
   * Judges the records. The caller sets the uid.
   *
   * @param records any partitioning
   * @param presences changes of presence, any partitioning; their devices are named as the records'
   *     users are
   * @param upstream event time does not pass it
   * @param follower of the rules
   * @param erasureList the list that the sinks follow, too
   */
  public static SingleOutputStreamOperator<Alert> judge(
      DataStream<LocatedRecord> records,
      DataStream<Presence> presences,
      JudgeOptions options,
      UpstreamProgress.Opener upstream,
      RuleFollower.Opener follower,
      ErasureListFollower.Opener erasureList) {
    return records
        .connect(presences)
        .keyBy(LocatedRecord::user, Presence::device, Types.STRING)
        .transform(
            "Judge",
            AlertSerializer.TYPE,
            new JudgeOperator(options, upstream, follower, erasureList))
        // A sink that waits for its server would hold up the mails.
        .disableChaining();
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    isUnsettled = context.isRestored();
    hasNewSilences = context.isRestored();
    watermarks =
        context
            .getOperatorStateStore()
            .getUnionListState(new ListStateDescriptor<>("watermark", Types.LONG));
    restoredWatermark = Long.MIN_VALUE;
    long now = getProcessingTimeService().getCurrentProcessingTime();
    for (long restored : watermarks.get()) {
      // It may be of a clock that was ahead, or of the end of the input.
      restoredWatermark = Math.max(restoredWatermark, Math.min(restored, now));
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    watermarks.update(List.of(watermark()));
  }

  private long watermark() {
    return Math.max(restoredWatermark, timers.currentWatermark());
  }

  @Override
  public void open() throws Exception {
    super.open();
    last = getPartitionedState(lastDescriptor);
    standings = getPartitionedState(standingsDescriptor);
    timers = getInternalTimerService("judge", VoidNamespaceSerializer.INSTANCE, this);
    judge = new DeviceJudge(options);
    judgeMetrics = new JudgeMetrics(getMetricGroup());
    failing = new FailingRules();
    change = new AtomicReference<>();
    mailbox =
        getContainingTask()
            .getMailboxExecutorFactory()
            .createExecutor(getOperatorConfig().getChainIndex());
    progress = upstream.open();
    TaskInfo task = getRuntimeContext().getTaskInfo();
    // The two are read at the same time.
    ErasureListFollower list =
        erasureList.open("judge-%d-forgotten".formatted(task.getIndexOfThisSubtask()));
    erased = list;
    RuleFollower.Subscription opened =
        follower.open(
            getRuntimeContext().getJobInfo().getJobId().toHexString(),
            task.getIndexOfThisSubtask(),
            task.getNumberOfParallelSubtasks(),
            task.getAttemptNumber(),
            new Listener());
    subscription = opened;
    // In this order: the rules may be newer than their offset, not older.
    offset = opened.offset();
    rules = opened.rules();
    list.awaitRead();
    mail(this::apply, "Judge by the first rules");
  }

  @Override
  public void close() throws Exception {
    IOUtils.closeAll(subscription, erased, progress, visit, super::close);
  }

  /** On the follower's thread. */
  private final class Listener implements RuleFollower.Listener {
    @Override
    public void changed(RuleSet newest, long newestOffset) {
      if (change.getAndSet(new Change(newest, newestOffset)) == null) {
        mail(JudgeOperator.this::apply, "Judge by changed rules");
      }
    }

    @Override
    public void failed(Throwable cause) {
      mail(
          () -> {
            throw new IOException("The job no longer reads the rules", cause);
          },
          "The rules cannot be read");
    }
  }

  private void mail(ThrowingRunnable<Exception> action, String description) {
    try {
      mailbox.execute(action, description);
    } catch (RejectedExecutionException e) {
      JUDGE_LOG.debug("The task has ended, so this mail is dropped: {}", description, e);
    }
  }

  /** Takes the newest rules, acknowledges, and begins to settle the devices if necessary. */
  private void apply() throws Exception {
    Change newest = change.getAndSet(null);
    // A change that came while the operator was opened may be in its first rules already.
    if (newest != null && newest.offset() > offset) {
      // What a rule about silence has reported goes with it, at once: one that is put again is new.
      isUnsettled |= newest.rules().hasOtherFences(rules) || rules.hasOtherSilences(newest.rules());
      hasNewSilences |= newest.rules().hasOtherSilences(rules);
      rules = newest.rules();
      offset = newest.offset();
      failing.keepOnly(rules);
    }
    judgeMetrics.applied(rules, offset);
    Objects.requireNonNull(subscription).applied(offset);
    // One that has begun is completed first. Otherwise frequent changes would keep it from that.
    if (visit == null) {
      visit = nextVisit();
      settleSome();
    }
  }

  /**
   * Returns a visit of the devices that the rules in use have not settled; null: there are none.
   */
  private @Nullable DeviceVisit nextVisit() {
    boolean isOfAll = hasNewSilences && rules.hasSilences();
    boolean isNeeded = isOfAll || isUnsettled;
    hasNewSilences = false;
    isUnsettled = false;
    String state = isOfAll ? lastDescriptor.getName() : standingsDescriptor.getName();
    return isNeeded ? new DeviceVisit(getKeyedStateBackend(), state) : null;
  }

  /** Settles some devices of the visit, and leaves the others to a further mail. */
  private void settleSome() throws Exception {
    DeviceVisit devices = visit;
    if (devices == null) {
      return;
    }
    for (int i = 0; i < DEVICES_AT_ONCE && devices.hasNext(); i++) {
      settle(devices.next());
    }
    if (!devices.hasNext()) {
      devices.close();
      visit = nextVisit();
    }
    if (visit != null) {
      mail(this::settleSome, "Settle further devices");
    }
  }

  private void settle(String user) throws Exception {
    setCurrentKey(user);
    LastJudged judged = last.value();
    if (judged == null) {
      // It was forgotten during the visit.
      return;
    }
    JudgedDevice device = device(user, judged);
    if (isErased(user, device, Long.MAX_VALUE)) {
      forget(device);
      return;
    }
    Judgement judgement = judge.settle(device.state(), rules, watermark());
    if (!device.state().equals(judgement.state()) || judgement.dueMillis() < device.timerMillis()) {
      accept(device, judgement);
    }
  }

  /** Returns the device of the current key. */
  private JudgedDevice device(String user, LastJudged judged) throws IOException {
    Standings kept = standings.value();
    return new JudgedDevice(
        new DeviceState(
            user,
            judged.record(),
            judged.arrivedMillis(),
            judged.offline(),
            kept == null ? Map.of() : kept.byRule()),
        judged.timerMillis());
  }

  @Override
  public void processWatermark1(Watermark mark) throws Exception {
    // After the end of all input there is no other one.
    boolean isLast = mark.equals(Watermark.MAX_WATERMARK);
    long limit = isLast ? Long.MAX_VALUE : Objects.requireNonNull(progress).untilMillis();
    long time = Math.min(mark.getTimestamp(), limit);
    if (time > timers.currentWatermark()) {
      processWatermark(new Watermark(time));
    }
  }

  @Override
  public void processWatermark2(Watermark mark) {
    // Event time is that of the records.
  }

  @Override
  public void processElement1(StreamRecord<LocatedRecord> element) throws Exception {
    LocatedRecord record = element.getValue();
    if (!record.isLocated()) {
      judgeMetrics.unlocated();
      return;
    }
    LastJudged judged = last.value();
    LocatedRecord newest = judged == null ? null : judged.record();
    if (newest != null && !DeviceJudge.isNewer(record, newest)) {
      judgeMetrics.notNewer(record, newest);
      return;
    }
    JudgedDevice device = judged == null ? null : device(record.user(), judged);
    boolean isNew = device == null || isErased(record.user(), device, record.timestampMillis());
    DeviceState before = isNew ? null : device.state();
    judgeMetrics.judged();
    Judgement judgement = judge.judge(before, record, rules, watermark());
    accept(device, judgement);
    for (String rule : judgement.failed().keySet()) {
      pauseIfItFailsTooOften(rule, record);
    }
  }

  @Override
  public void processElement2(StreamRecord<Presence> element) throws Exception {
    Presence presence = element.getValue();
    String user = presence.device();
    LastJudged judged = last.value();
    JudgedDevice device = judged == null ? null : device(user, judged);
    DeviceState kept = device == null ? null : device.state();
    if (!DeviceJudge.isNewer(presence, kept)) {
      return;
    }
    boolean isNew = device == null || isErased(user, device, presence.seenMillis());
    judgeMetrics.presence();
    accept(device, judge.judge(isNew ? null : kept, presence, rules, watermark()));
  }

  @Override
  public void onEventTime(InternalTimer<String, VoidNamespace> timer) throws Exception {
    LastJudged judged = last.value();
    if (judged == null || judged.timerMillis() != timer.getTimestamp()) {
      throw new IllegalStateException("Expected one timer per device, found another one");
    }
    JudgedDevice fired =
        device(
            timer.getKey(),
            new LastJudged(
                judged.record(), judged.arrivedMillis(), judged.offline(), LastJudged.NO_TIMER));
    if (isErased(timer.getKey(), fired, Long.MAX_VALUE)) {
      forget(fired);
    } else {
      accept(fired, judge.onTimer(fired.state(), rules, watermark()));
    }
  }

  @Override
  public void onProcessingTime(InternalTimer<String, VoidNamespace> timer) {
    throw new IllegalStateException("Expected timers of event time, found one of the clock");
  }

  /** Whether the erasure of a user reaches into what is kept of it, but not to that instant. */
  private boolean isErased(String user, JudgedDevice device, long untilMillis)
      throws IOException, InterruptedException {
    return Objects.requireNonNull(erased).endsBetween(user, device.sinceMillis(), untilMillis);
  }

  /**
   * Stores what a step has resulted in, and sends its alerts.
   *
   * @param device of the current key; null if nothing was kept of it
   */
  private void accept(@Nullable JudgedDevice device, Judgement judgement) throws Exception {
    long timerMillis = device == null ? LastJudged.NO_TIMER : device.timerMillis();
    DeviceState state = judgement.state();
    if (state != null) {
      last.update(
          new LastJudged(
              state.last(),
              state.arrivedMillis(),
              state.offline(),
              timer(timerMillis, judgement.dueMillis())));
      Map<String, Standing> before = device == null ? Map.of() : device.state().standings();
      if (!state.standings().equals(before)) {
        keep(state.standings());
      }
    } else if (device != null) {
      forget(device);
    }
    judgeMetrics.count(judgement);
    for (Alert alert : judgement.alerts()) {
      output.collect(new StreamRecord<>(alert, alert.confirmedMillis()));
    }
  }

  private void keep(Map<String, Standing> byRule) throws IOException {
    if (byRule.isEmpty()) {
      standings.clear();
    } else {
      standings.update(new Standings(byRule));
    }
  }

  /** Sets the timer if there is none, or if it would fire too late; returns when it fires. */
  private long timer(long timerMillis, long dueMillis) {
    if (dueMillis >= timerMillis) {
      return timerMillis;
    }
    deleteTimer(timerMillis);
    timers.registerEventTimeTimer(VoidNamespace.INSTANCE, dueMillis);
    return dueMillis;
  }

  private void deleteTimer(long timerMillis) {
    if (timerMillis != LastJudged.NO_TIMER) {
      timers.deleteEventTimeTimer(VoidNamespace.INSTANCE, timerMillis);
    }
  }

  private void forget(JudgedDevice device) {
    deleteTimer(device.timerMillis());
    last.clear();
    standings.clear();
  }

  private void pauseIfItFailsTooOften(String rule, LocatedRecord record) {
    long version = rules.version(rule);
    if (failing.isToBePaused(rule, version, record.timestampMillis())) {
      JUDGE_LOG.warn("The job pauses rule {}, version {}: it {}", rule, version, REASON);
      Objects.requireNonNull(subscription)
          .pause(new RuleMessage.OfPause(rule, version, BY, REASON));
    }
  }
}
