package io.lastfix.jobs.kafka.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.located.Arrival;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.connector.base.source.reader.RecordsBySplits;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.metrics.groups.UnregisteredMetricGroups;
import org.apache.flink.streaming.api.operators.source.TimestampsAndWatermarks;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.io.PushingAsyncDataInput.DataOutput;
import org.apache.flink.streaming.runtime.streamrecord.LatencyMarker;
import org.apache.flink.streaming.runtime.streamrecord.RecordAttributes;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.TestProcessingTimeService;
import org.apache.flink.streaming.runtime.watermarkstatus.StatusWatermarkValve;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.util.clock.ManualClock;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Slow clocks, backlogs and replays, by what Flink makes of the readers' watermarks: the outputs of
 * its sources, and the valve of the operator behind the shuffle.
 */
class PartitionTimesTest {
  private static final Duration BOUND = Duration.ofSeconds(10);
  private static final Duration LATENESS = Duration.ofHours(1);
  private static final long SECOND = 1_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;
  private static final long NOW = Instant.parse("2026-11-26T12:00:00Z").toEpochMilli();
  private static final long DAY = Instant.parse("2026-11-20T00:00:00Z").toEpochMilli();

  private static final RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>> NONE =
      new RecordsBySplits.Builder<ConsumerRecord<byte[], byte[]>>().build();

  private final ManualClock clock = new ManualClock(NOW * 1_000_000);
  private final List<Reader> readers = new ArrayList<>();
  private StatusWatermarkValve valve = new StatusWatermarkValve(0);
  private long watermark = Long.MIN_VALUE;
  private long tooLate;

  @ParameterizedTest
  @CsvSource({"1", "2"})
  void aSlowClockAloneInItsPartitionKeepsTheWindowsOfOthersOpenForFourMinutesOnly(int subtasks) {
    readers(subtasks);

    for (int second = 0; second < 3_600; second++) {
      live(0);
      slow(1, 365 * 24 * HOUR);
      pass(SECOND);
      if (second > 241) {
        assertThat(now() - watermark).as("second %d", second).isLessThan(13 * SECOND);
      }
    }
  }

  /** A partition that is not always read to its end, and a device that sends what it has stored. */
  @ParameterizedTest
  @CsvSource({"1,300,300", "2,300,300", "1,130,300", "2,130,300"})
  void aSlowClockIsOneAlsoIfItsRecordsComeInBursts(int subtasks, int oneBurst, int nextBurst) {
    readers(subtasks);
    long sent = now() - 5 * HOUR;
    int next = 0;
    boolean isNextLong = false;

    for (int second = 0; second < 7_200; second++) {
      live(0);
      if (second == next) {
        for (; sent < now() - 5 * HOUR; sent += SECOND) {
          read(1, sent, now());
        }
        unread(1);
        next += isNextLong ? nextBurst : oneBurst;
        isNextLong = !isNextLong;
      }
      pass(SECOND);
      if (second > 3 * nextBurst) {
        assertThat(now() - watermark).as("second %d", second).isLessThan(13 * SECOND);
      }
    }
  }

  /** Its records are on the way for up to a minute, or three. */
  @ParameterizedTest
  @CsvSource({"1,60", "2,60", "1,180", "2,180"})
  void aSlowClockIsOneAlsoIfItsRecordsAreDelayed(int subtasks, int mostSeconds) {
    readers(subtasks);
    Random random = new Random(1);
    long late = 0;

    for (int second = 0; second < 36_000; second++) {
      live(0);
      read(1, now() - 5 * HOUR - random.nextLong(mostSeconds * SECOND), now());
      pass(SECOND);
      if (second > 300 && now() - watermark > 13 * SECOND) {
        late++;
      }
    }

    assertThat(late).as("seconds of ten hours in which windows stayed open").isLessThan(360);
  }

  /**
   * The location job is one of before again, whose messages lack the header; or another program
   * writes nonsense into it. The partition is not passed over for ever because of that.
   */
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void liveRecordsAreOfARightClockWhateverTheirHeadersSay(boolean haveHeaders) {
    readers(1);
    for (int second = 0; second < 300; second++) {
      live(0);
      live(2);
      slow(1, 5 * HOUR);
      pass(SECOND);
    }
    assertThat(now() - watermark).isLessThan(13 * SECOND);

    for (int second = 0; second < 600; second++) {
      live(0);
      live(2);
      read(1, now() - MINUTE, haveHeaders ? now() + 24 * HOUR : Arrival.UNKNOWN);
      pass(SECOND);
    }

    assertThat(now() - watermark).as("it waits for the partition").isGreaterThan(MINUTE);
  }

  /** Files of before that are sent at another pace than that of their own time. */
  @ParameterizedTest
  @CsvSource({"1,0.8", "2,0.8", "1,1.2", "2,1.2", "1,3", "2,3"})
  void recordsOfBeforeThatAreSentAtAnotherPaceAreWaitedFor(int subtasks, double pace) {
    readers(subtasks);

    for (int second = 0; second < 3_600; second++) {
      long sent = NOW - 20 * HOUR + (long) (second * pace * SECOND);
      live(0);
      read(1, sent, now());
      pass(SECOND);
      assertThat(watermark).as("second %d", second).isLessThan(sent);
    }
  }

  /** Nothing else says what time it is. */
  @ParameterizedTest
  @CsvSource({"1", "2"})
  void ifAllClocksAreSlowTheNewestOneDecides(int subtasks) {
    readers(subtasks);

    for (int second = 0; second < 3_600; second++) {
      slow(0, 3 * HOUR);
      slow(1, 5 * HOUR);
      pass(SECOND);
    }

    assertThat(now() - 3 * HOUR - watermark).isBetween(0L, 13 * SECOND);
  }

  @ParameterizedTest
  @CsvSource({"1", "2"})
  void aSlowClockThatWasSetRightCountsAgain(int subtasks) {
    readers(subtasks);
    for (int second = 0; second < 600; second++) {
      slow(0, 5 * HOUR);
      live(1);
      pass(SECOND);
    }

    long setRight = now();
    read(0, setRight, setRight);
    for (int second = 0; second < 60; second++) {
      // Its broker has more of it, so that quiet does not decide.
      unread(0);
      live(1);
      pass(SECOND);
    }

    assertThat(watermark).isEqualTo(setRight - BOUND.toMillis() - 1);
  }

  /**
   * Both jobs were down for hours. Partition 2 was live, and its only device is switched off: it
   * goes to the clock two minutes after the restart.
   *
   * @param pace seconds of the backlog that are read in a second
   * @param firstSecond when the first record comes after the restart
   */
  @ParameterizedTest
  @CsvSource({
    "1.2,10,1",
    "1.2,10,3",
    "1.5,10,3",
    "2,10,1",
    "2,60,1",
    "2,60,3",
    "3,80,1",
    "3,80,3",
    "10,110,1",
    "10,110,3"
  })
  void ofABacklogAsMuchIsCountedAsIfThereWereNoRuleOfSlowClocks(
      double pace, int firstSecond, int subtasks) {
    long withoutArrivals = backlog(pace, firstSecond, subtasks, false);
    long withArrivals = backlog(pace, firstSecond, subtasks, true);

    assertThat(withArrivals).isEqualTo(withoutArrivals);
  }

  private long backlog(double pace, int firstSecond, int subtasks, boolean haveArrivals) {
    readers.clear();
    tooLate = 0;
    readers(subtasks);
    for (int i = 0; i < 3; i++) {
      live(i);
    }
    pass(MINUTE);
    long stopped = now();
    restart(Duration.ofHours(3), subtasks);
    double read = stopped;
    for (int second = 0; second < 7_200; second++) {
      for (; second >= firstSecond && read < stopped + (second - firstSecond) * pace * SECOND; ) {
        read += SECOND;
        for (int i = 0; i < 2; i++) {
          long timestamp = Math.min(now(), (long) read);
          read(i, timestamp, haveArrivals ? timestamp + 500 : Arrival.UNKNOWN);
          unread(i);
        }
      }
      pass(SECOND);
    }
    return tooLate;
  }

  /** Somebody sends days of before: the partitions wait for each other, whatever their distance. */
  @ParameterizedTest
  @CsvSource({"1,2", "1,60", "2,2", "2,60"})
  void aReplayThatIsFasterThanItsTimeIsWaitedFor(int subtasks, long pace) {
    readers(subtasks);

    for (int second = 0; second < 1_200; second++) {
      read(0, DAY + second * pace * SECOND, now());
      read(1, DAY + 20 * HOUR + second * pace * SECOND, now());
      pass(SECOND);
    }

    assertThat(watermark).isBetween(DAY, DAY + 1_200 * pace * SECOND);
  }

  /** Its records have aged meanwhile by the time of the pause. */
  @ParameterizedTest
  @CsvSource({"1", "2"})
  void aReplayThatPausesIsStillAReplay(int subtasks) {
    readers(subtasks);
    for (int part = 0; part < 5; part++) {
      for (int second = 0; second < 100; second++) {
        long replayed = DAY + (part * 100L + second) * MINUTE;
        read(0, replayed, now());
        read(1, replayed + 3 * HOUR, now());
        pass(SECOND);
        assertThat(watermark).isLessThan(replayed);
      }
      // Less than the two minutes after which quiet alone makes it idle.
      pass(100 * SECOND);
    }
    assertThat(tooLate).isZero();
  }

  private void live(int partition) {
    read(partition, now() - 200, now());
  }

  private void slow(int partition, long millis) {
    read(partition, now() - millis, now());
  }

  private void read(int partition, long timestampMillis, long arrivalMillis) {
    if (timestampMillis + LATENESS.toMillis() <= watermark) {
      tooLate++;
    }
    time(partition).onRecord(partition(partition), timestampMillis, arrivalMillis);
  }

  /** Partitions are spread over the subtasks. */
  private PartitionTimes time(int partition) {
    return readers.get(partition % readers.size()).times;
  }

  private static TopicPartition partition(int partition) {
    return new TopicPartition("located", partition);
  }

  private void readers(int subtasks) {
    valve = new StatusWatermarkValve(subtasks);
    watermark = Long.MIN_VALUE;
    for (int i = 0; i < subtasks; i++) {
      readers.add(new Reader(i));
    }
    for (int i = 0; i < 3; i++) {
      time(i).add(List.of(new KafkaPartitionSplit(partition(i), 0)));
    }
  }

  private void restart(Duration outage, int subtasks) {
    List<KafkaPartitionSplit> saved = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      saved.add(
          new LocatedSplit(new KafkaPartitionSplit(partition(i), 0), time(i).of(partition(i)), 0));
    }
    clock.advanceTime(outage);
    readers.clear();
    valve = new StatusWatermarkValve(subtasks);
    watermark = Long.MIN_VALUE;
    for (int i = 0; i < subtasks; i++) {
      readers.add(new Reader(i));
    }
    for (int i = 0; i < 3; i++) {
      time(i).add(List.of(saved.get(i)));
    }
  }

  /**
   * Time passes. All partitions are read to their ends, unless the caller has just said otherwise.
   */
  private void pass(long millis) {
    for (long passed = 0; passed < millis; passed += 200) {
      clock.advanceTime(Duration.ofMillis(200));
      readers.forEach(reader -> reader.times.emit(reader.output));
    }
    Map<TopicPartition, Boolean> ends =
        Map.of(partition(0), true, partition(1), true, partition(2), true);
    readers.forEach(reader -> fetched(reader.times, ends));
  }

  private long now() {
    return clock.absoluteTimeMillis();
  }

  /** A fetch has found that there is more. */
  private void unread(int partition) {
    fetched(time(partition), Map.of(partition(partition), false));
  }

  private void fetched(PartitionTimes times, Map<TopicPartition, Boolean> isAtEnd) {
    times.onFetched(new PartitionEnds(NONE, isAtEnd, clock.relativeTimeMillis(), ends -> {}));
  }

  /** A subtask of the source, and its channel to the next operator. */
  private final class Reader implements DataOutput<LocatedRecord> {
    private final PartitionTimes times = new PartitionTimes(BOUND, clock);
    private final int channel;
    private final ReaderOutput<LocatedRecord> output;

    Reader(int channel) {
      this.channel = channel;
      output =
          TimestampsAndWatermarks.createProgressiveEventTimeLogic(
                  WatermarkStrategy.<LocatedRecord>noWatermarks(),
                  new UnregisteredMetricsGroup(),
                  new TestProcessingTimeService(),
                  0,
                  clock,
                  clock,
                  UnregisteredMetricGroups.createUnregisteredTaskMetricGroup().getIOMetricGroup())
              .createMainOutput(this, new NoListener());
    }

    @Override
    public void emitRecord(StreamRecord<LocatedRecord> record) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void emitWatermark(Watermark emitted) throws Exception {
      valve.inputWatermark(emitted, channel, new Behind());
    }

    @Override
    public void emitWatermarkStatus(WatermarkStatus status) throws Exception {
      valve.inputWatermarkStatus(status, channel, new Behind());
    }

    @Override
    public void emitLatencyMarker(LatencyMarker marker) {}

    @Override
    public void emitRecordAttributes(RecordAttributes attributes) {}
  }

  /** The operator behind the shuffle. */
  private final class Behind implements DataOutput<LocatedRecord> {
    @Override
    public void emitRecord(StreamRecord<LocatedRecord> record) {}

    @Override
    public void emitWatermark(Watermark emitted) {
      watermark = emitted.getTimestamp();
    }

    @Override
    public void emitWatermarkStatus(WatermarkStatus status) {}

    @Override
    public void emitLatencyMarker(LatencyMarker marker) {}

    @Override
    public void emitRecordAttributes(RecordAttributes attributes) {}
  }

  private static final class NoListener implements TimestampsAndWatermarks.WatermarkUpdateListener {
    @Override
    public void updateIdle(boolean isIdle) {}

    @Override
    public void updateCurrentEffectiveWatermark(long millis) {}

    @Override
    public void updateCurrentSplitWatermark(String split, long millis) {}

    @Override
    public void splitFinished(String split) {}
  }
}
