package io.lastfix.server.flink;

import java.util.concurrent.CountDownLatch;
import org.apache.flink.runtime.execution.Environment;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobGraphBuilder;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.runtime.jobgraph.tasks.AbstractInvokable;

/** Does nothing until it is canceled. */
public final class IdleTask extends AbstractInvokable {
  /** Flink makes it. */
  public IdleTask(Environment environment) {
    super(environment);
  }

  @Override
  public void invoke() throws InterruptedException {
    new CountDownLatch(1).await();
  }

  /** A job of one such task. */
  static JobGraph job() {
    JobVertex vertex = new JobVertex("idle");
    vertex.setInvokableClass(IdleTask.class);
    vertex.setParallelism(1);
    return JobGraphBuilder.newStreamingJobGraphBuilder()
        .setJobName("idle")
        .addJobVertex(vertex)
        .build();
  }
}
