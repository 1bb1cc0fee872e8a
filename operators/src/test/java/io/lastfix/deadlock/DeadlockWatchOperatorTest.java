package io.lastfix.deadlock;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A job with deadlocked tasks on a cluster of one TaskManager. */
class DeadlockWatchOperatorTest {
  private static final int SUBTASKS = 2;

  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(SUBTASKS)
              .build());

  private static final Deadlock DEADLOCK = new Deadlock();

  @Test
  void aTaskManagerWhoseTasksAreDeadlockedEnds() throws Exception {
    Configuration flink = new Configuration();
    flink.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(flink);
    environment.setParallelism(SUBTASKS);
    DataStream<Long> numbers = environment.fromSequence(1, SUBTASKS).returns(Types.LONG);
    DeadlockWatchOperator.watch(numbers.map(new Deadlocked()).returns(Types.LONG))
        .sinkTo(new DiscardingSink<>());

    JobClient job = environment.executeAsync();
    await().atMost(Duration.ofSeconds(30)).until(DEADLOCK::isComplete);

    assertThatThrownBy(() -> job.getJobExecutionResult().get(60, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasStackTraceContaining("TaskExecutor");
  }

  /** Deadlocks with the other subtask. */
  private static final class Deadlocked extends RichMapFunction<Long, Long> {
    private static final long serialVersionUID = 1;

    @Override
    public Long map(Long number) throws Exception {
      DEADLOCK.enter(getRuntimeContext().getTaskInfo().getIndexOfThisSubtask());
      return number;
    }
  }
}
