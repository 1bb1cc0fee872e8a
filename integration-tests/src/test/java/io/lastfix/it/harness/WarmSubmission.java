package io.lastfix.it.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.jobs.LocationJob;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.client.program.StreamContextEnvironment;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.DeploymentOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.core.execution.DefaultExecutorServiceLoader;

/**
 * Submits the location job as {@code flink run --detached} does, by the same client and the same
 * {@code main}, but in the test's own process, where their classes are loaded: another process
 * takes three seconds of CPU for that each time. The cluster gets the jar and runs it, as ever.
 * What is about submitting, about the jar or about savepoints goes through {@code FlinkRun}.
 */
final class WarmSubmission {
  private WarmSubmission() {}

  /**
   * Submits the job.
   *
   * @param jar which the cluster loads the job's classes from
   * @param name of the job
   * @param arguments of its main class
   * @return its id
   */
  public static String submit(FlinkRest flink, String flinkUrl, Path jar, String name, String... arguments)
      throws Exception {
    Set<String> before = idsOf(flink, name);
    URI url = URI.create(flinkUrl);
    Configuration client = new Configuration();
    client.set(DeploymentOptions.TARGET, "remote");
    client.set(DeploymentOptions.ATTACHED, false);
    client.set(RestOptions.ADDRESS, url.getHost());
    client.set(RestOptions.PORT, url.getPort());
    client.set(PipelineOptions.JARS, List.of(jar.toUri().toString()));
    StreamContextEnvironment.setAsContext(
        new DefaultExecutorServiceLoader(),
        client,
        WarmSubmission.class.getClassLoader(),
        true,
        true);
    try {
      LocationJob.main(arguments);
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
