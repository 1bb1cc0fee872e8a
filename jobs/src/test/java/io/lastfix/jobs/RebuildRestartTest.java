package io.lastfix.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.serialization.RecordTypes;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The rebuild's behaviour if its reading fails, in one JVM. */
class RebuildRestartTest {
  private static final int SUBTASKS = 4;

  /** A slot for each subtask, so that all read at once. */
  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(SUBTASKS)
              .build());

  private static final int USERS = 40;

  private final CollectingSink<LocatedRecord> lastKnownLocation = new CollectingSink<>();

  @AfterEach
  void forgetWhatWasCollected() {
    CollectingSink.clear();
    Reading.reset();
  }

  @Test
  void anElectionThatFailsEverySubtaskAtOnceIsOneRestart() throws Exception {
    Reading.failuresOfAllAtOnce = 1;

    run("restart.initial-backoff=1 s");

    assertThat(Reading.FAILED.get()).isEqualTo(SUBTASKS);
    assertThat(lastKnownLocation.collected()).extracting(LocatedRecord::user).hasSize(USERS);
  }

  @Test
  void aReadingThatFailsEachTimeFailsTheJobInTheEnd() {
    Reading.failuresOfAllAtOnce = Integer.MAX_VALUE;

    assertThatThrownBy(() -> run("restart.initial-backoff=50 ms"))
        .rootCause()
        .isInstanceOf(IOException.class)
        .hasMessage("no primary");
  }

  private void run(String setting) throws Exception {
    LocationJobConfig config =
        LocationJobConfig.load(null, List.of("job.parallelism=" + SUBTASKS, setting), name -> null);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(
            HistoryJob.flinkConfiguration(config, RuntimeExecutionMode.BATCH));
    RebuildLastKnownLocationJob.defineWorkflow(
        environment,
        new DataGeneratorSource<>(new Reading(), USERS, RecordTypes.LOCATED_RECORD),
        lastKnownLocation);
    environment.execute();
  }

  /**
   * Returns one record for each user, after every subtask has failed N times, each time together
   * with the others. Its state is static, because Flink copies it, all within this JVM.
   */
  private static final class Reading implements GeneratorFunction<Long, LocatedRecord> {
    private static final long serialVersionUID = 1;
    private static final CellId CELL = CellId.parse("311-480-9728-9903886");
    private static final Position PLACE = new Position(-122.39, 37.78);
    private static final AtomicInteger FAILED = new AtomicInteger();
    private static final CyclicBarrier TOGETHER = new CyclicBarrier(SUBTASKS);

    private static volatile int failuresOfAllAtOnce;

    private static void reset() {
      FAILED.set(0);
      TOGETHER.reset();
    }

    @Override
    public LocatedRecord map(Long index) throws Exception {
      if (FAILED.get() < (long) failuresOfAllAtOnce * SUBTASKS) {
        TOGETHER.await(20, TimeUnit.SECONDS);
        FAILED.incrementAndGet();
        throw new IOException("no primary");
      }
      return new LocatedRecord("user" + index, CELL, 1, PLACE);
    }
  }
}
