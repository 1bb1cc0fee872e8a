package io.lastfix.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.Installation;
import io.lastfix.cluster.flink.FlinkRest;
import java.io.IOException;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.client.program.StreamContextEnvironment;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.core.execution.DefaultExecutorServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Submits a job as {@code flink run --detached} does, by the same client and the same {@code main},
 * but in the test's own process, where their classes are loaded: another process takes three
 * seconds of CPU for that each time. The cluster gets the jar and runs it, as ever. What is about
 * submitting or about a changed jar goes through {@code FlinkRun}.
 */
final class WarmSubmission {
  /** A job's main method. */
  interface Main {
    void run(String[] arguments) throws Exception;
  }

  private WarmSubmission() {}

  /**
   * Submits a job of the jar that the build made.
   *
   * @param name of the job
   * @param savepoint a savepoint or checkpoint to go on from
   * @return its id
   */
  static String submit(
      TestServers servers, String name, @Nullable String savepoint, Main main, String... arguments)
      throws Exception {
    FlinkRest flink = servers.flink();
    Set<String> before = idsOf(flink, name);
    URI url = URI.create(servers.flinkUrl());
    Configuration client = new Configuration();
    client.set(DeploymentOptions.TARGET, "remote");
    client.set(DeploymentOptions.ATTACHED, false);
    client.set(RestOptions.ADDRESS, url.getHost());
    client.set(RestOptions.PORT, url.getPort());
    client.set(PipelineOptions.JARS, List.of(Installation.jobJar().toUri().toString()));
    if (savepoint != null) {
      client.set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
    }
    StreamContextEnvironment.setAsContext(
        new DefaultExecutorServiceLoader(),
        client,
        WarmSubmission.class.getClassLoader(),
        true,
        true);
    try {
      main.run(arguments);
    } finally {
      StreamContextEnvironment.unsetAsContext();
    }
    Set<String> submitted = idsOf(flink, name);
    submitted.removeAll(before);
    assertThat(submitted).as("jobs that were submitted").hasSize(1);
    return submitted.iterator().next();
  }

  private static Set<String> idsOf(FlinkRest flink, String name) throws IOException {
    Set<String> ids = new HashSet<>();
    for (FlinkRest.Job job : flink.jobs()) {
      if (job.name().equals(name)) {
        ids.add(job.id());
      }
    }
    return ids;
  }
}
