package io.lastfix.alert;

import static io.lastfix.alert.JudgeHarness.AIRPORT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.alert.Alert;
import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.Presence;
import io.lastfix.presence.TestErasures;
import io.lastfix.rules.follow.RuleFollower;
import io.lastfix.rules.judge.JudgeOptions;
import io.lastfix.serialization.RecordTypes;
import io.lastfix.sink.WriterSink;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A job whose sink waits for its server. Its tasks run in this JVM, so they share what is static.
 */
class JudgeBackPressureTest {
  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(1)
              .build());

  private static final TestRules RULES = new TestRules();
  private static final AtomicLong READ = new AtomicLong();
  private static final AtomicLong WRITTEN = new AtomicLong();
  private static final CountDownLatch SERVER = new CountDownLatch(1);

  private record SharedRules() implements RuleFollower.Opener {
    @Override
    public RuleFollower.Subscription open(
        String jobId, int subtask, int of, int attempt, RuleFollower.Listener listener) {
      return RULES.open(jobId, subtask, of, attempt, listener);
    }
  }

  private record WaitingSink() implements WriterSink<Alert> {
    @Override
    public SinkWriter<Alert> createWriter(WriterInitContext context) {
      return new SinkWriter<>() {
        @Override
        public void write(Alert alert, Context record) throws InterruptedException {
          WRITTEN.incrementAndGet();
          SERVER.await();
        }

        @Override
        public void flush(boolean endOfInput) {
          // It holds nothing back.
        }

        @Override
        public void close() {
          // It holds nothing open.
        }
      };
    }
  }

  private static LocatedRecord read(long second) {
    READ.incrementAndGet();
    return JudgeHarness.recordAt("a", second, AIRPORT);
  }

  @Test
  void aChangeOfTheRulesIsAppliedWhileTheSinkWaits() throws Exception {
    RULES.rule("always", "id: always\nwhen: {expr: 'lat > 0.0'}\nquiet: 0 s\n");
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    environment.setParallelism(1);
    DataStream<LocatedRecord> records =
        environment
            .fromSequence(0, Long.MAX_VALUE)
            .map(JudgeBackPressureTest::read)
            .returns(RecordTypes.LOCATED_RECORD);
    DataStream<Presence> presences =
        environment
            .fromSequence(0, 0)
            .map(
                none ->
                    new Presence("b", Presence.State.ONLINE, none, none, DeviceDescription.NONE))
            .returns(Types.POJO(Presence.class));
    JudgeOperator.judge(
            records,
            presences,
            new JudgeOptions(0, Duration.ofHours(1)),
            new TestUpstream(),
            new SharedRules(),
            new TestErasures())
        .sinkTo(new WaitingSink());

    JobClient job = environment.executeAsync();
    try {
      AtomicLong before = new AtomicLong();
      await()
          .atMost(Duration.ofMinutes(1))
          .pollInterval(Duration.ofMillis(500))
          .until(() -> WRITTEN.get() == 1 && before.getAndSet(READ.get()) == READ.get());

      RULES.rule("other", "id: other\nwhen: {expr: far}\n");

      await().until(() -> RULES.applied().contains(2L));
      assertThat(WRITTEN).as("the sink still waits").hasValue(1);
    } finally {
      SERVER.countDown();
      job.cancel().get();
    }
  }
}
