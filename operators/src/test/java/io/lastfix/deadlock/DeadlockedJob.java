package io.lastfix.deadlock;

import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/** A job whose two tasks fail at once and deadlock, on a cluster of one TaskManager in this JVM. */
final class DeadlockedJob {
  private static final int SUBTASKS = 2;
  private static final int LIMIT_SECONDS = 120;
  private static final ExceptionDeadlock DEADLOCK = new ExceptionDeadlock();

  private DeadlockedJob() {}

  /** Runs until somebody ends the process. */
  public static void main(String[] arguments) throws Exception {
    Configuration flink = new Configuration();
    flink.set(RestartStrategyOptions.RESTART_STRATEGY, "none");
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(SUBTASKS, flink);
    DataStream<Long> numbers = environment.fromSequence(1, SUBTASKS).returns(Types.LONG);
    DeadlockWatchOperator.watch(numbers.map(new Failing()).returns(Types.LONG))
        .sinkTo(new DiscardingSink<>());
    JobClient job = environment.executeAsync();
    job.getJobExecutionResult().get(LIMIT_SECONDS, TimeUnit.SECONDS);
  }

  /** Fails in each subtask, each with its part of the deadlock. */
  private static final class Failing extends RichMapFunction<Long, Long> {
    private static final long serialVersionUID = 1;

    @Override
    public Long map(Long number) throws Exception {
      throw DEADLOCK.exception(getRuntimeContext().getTaskInfo().getIndexOfThisSubtask());
    }
  }
}
