package io.lastfix.deadlock;

import java.lang.management.ManagementFactory;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Forwards every record unchanged, and has a {@link TaskDeadlockWatcher} on its TaskManager as long
 * as the job has slots there.
 *
 * <p>This is an operator and not a function, because only an operator can report a fatal error of
 * its TaskManager, as Flink's own watchdog does.
 *
 * @param <T> type of the records
 */
public final class DeadlockWatchOperator<T> extends AbstractStreamOperator<T>
    implements OneInputStreamOperator<T, T> {
  private DeadlockWatchOperator() {}

  /** Adds the operator. The caller sets the uid. */
  public static <T> SingleOutputStreamOperator<T> watch(DataStream<T> records) {
    return records.transform(
        "Watch for deadlocks", records.getType(), new DeadlockWatchOperator<>());
  }

  @Override
  public void open() throws Exception {
    super.open();
    Environment environment = getContainingTask().getEnvironment();
    Thread unused =
        TaskDeadlockWatcher.watch(
            environment.getUserCodeClassLoader(),
            ManagementFactory.getThreadMXBean(),
            TaskDeadlockWatcher.INTERVAL,
            environment.getTaskManagerActions()::notifyFatalError);
  }

  @Override
  public void processElement(StreamRecord<T> element) {
    output.collect(element);
  }
}
