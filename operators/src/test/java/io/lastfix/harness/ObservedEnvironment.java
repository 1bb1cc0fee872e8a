package io.lastfix.harness;

import java.util.Map;
import org.apache.flink.api.common.JobID;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.executiongraph.ExecutionGraphTestUtils;
import org.apache.flink.runtime.metrics.groups.TaskManagerMetricGroup;
import org.apache.flink.runtime.metrics.groups.TaskMetricGroup;
import org.apache.flink.runtime.metrics.util.TestingMetricRegistry;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;

/** The environment of one operator, with memory for RocksDB, whose metrics the test can read. */
public final class ObservedEnvironment {
  /** The number of key groups. */
  public static final int MAX_PARALLELISM = 8;

  private ObservedEnvironment() {}

  /**
   * Returns an environment.
   *
   * @param group the group of the metrics
   * @param metrics receives them by their names within the group
   */
  public static MockEnvironment of(String group, Map<String, Metric> metrics) {
    return of(group, metrics, 1, 0);
  }

  /**
   * Returns the environment of one of several subtasks.
   *
   * @param subtask its index, from 0
   */
  public static MockEnvironment of(
      String group, Map<String, Metric> metrics, int parallelism, int subtask) {
    TestingMetricRegistry registry =
        TestingMetricRegistry.builder()
            .setRegisterConsumer(
                (metric, name, groups) -> {
                  String identifier = groups.getMetricIdentifier(name);
                  int start = identifier.indexOf("." + group + ".");
                  if (start >= 0) {
                    metrics.put(identifier.substring(start + group.length() + 2), metric);
                  }
                })
            .build();
    TaskMetricGroup task =
        TaskManagerMetricGroup.createTaskManagerMetricGroup(registry, "host", ResourceID.generate())
            .addJob(new JobID(), "job")
            .addTask(ExecutionGraphTestUtils.createExecutionAttemptId(), "task");
    return new MockEnvironmentBuilder()
        .setMaxParallelism(MAX_PARALLELISM)
        .setParallelism(parallelism)
        .setSubtaskIndex(subtask)
        .setManagedMemorySize(256 << 20)
        .setMetricGroup(task)
        .build();
  }
}
