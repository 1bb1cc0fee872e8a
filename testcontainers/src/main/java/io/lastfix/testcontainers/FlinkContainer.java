package io.lastfix.testcontainers;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.MountableFile;

/** A Flink cluster with the location job: JobManager and TaskManager in one container. */
final class FlinkContainer extends GenericContainer<FlinkContainer> {
  private static final int REST_PORT = 8081;
  private static final String CONF_DIR = "/tmp/lastfix-flink";
  private static final String JOB_JAR = "/tmp/lastfix-jobs-job.jar";

  /** The options that a Flink distribution passes to every JVM 17 ({@code env.java.opts.all}). */
  private static final String JAVA_OPTIONS =
      Stream.of("lang", "net", "io", "nio", "lang.reflect", "text", "time", "util")
          .map(name -> "--add-opens=java.base/java." + name + "=ALL-UNNAMED")
          .collect(Collectors.joining(" "));

  /** Flink's scripts compute a TaskManager's memory; without them each part must be set. */
  private static final String CONFIGURATION =
      """
      jobmanager.rpc.address: 127.0.0.1
      rest.address: 127.0.0.1
      rest.bind-address: 0.0.0.0
      rest.flamegraph.enabled: false
      taskmanager.host: 127.0.0.1
      taskmanager.numberOfTaskSlots: 2
      taskmanager.cpu.cores: 2
      taskmanager.memory.framework.heap.size: 64m
      taskmanager.memory.task.heap.size: 384m
      taskmanager.memory.managed.size: 32m
      taskmanager.memory.network.min: 64m
      taskmanager.memory.network.max: 64m
      taskmanager.memory.framework.off-heap.size: 64m
      taskmanager.memory.task.off-heap.size: 64m
      taskmanager.memory.jvm-metaspace.size: 256m
      taskmanager.memory.jvm-overhead.min: 64m
      taskmanager.memory.jvm-overhead.max: 64m
      cluster.registration.error-delay: 500ms
      execution.checkpointing.dir: file:///tmp/lastfix-state
      web.refresh-interval: 500
      """;

  /** Submits the job as an operator does. If that fails or a server ends, the container ends. */
  private static final String START =
      """
      cd /tmp
      export FLINK_CONF_DIR=%2$s
      flink() { java "-Xmx$1" %1$s -cp '/opt/flink/lib/*' "${@:2}"; }
      flink 384m org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint \\
          --configDir %2$s &
      flink 448m org.apache.flink.runtime.taskexecutor.TaskManagerRunner --configDir %2$s &
      until (exec 3<>/dev/tcp/127.0.0.1/%4$d) 2>/dev/null; do sleep 0.2; done
      flink 256m org.apache.flink.client.cli.CliFrontend run --detached \\
          --class io.lastfix.jobs.LocationJob %3$s "$@" || exit 1
      wait -n
      """
          .formatted(JAVA_OPTIONS, CONF_DIR, JOB_JAR, REST_PORT);

  /**
   * @param jobJar a file or a resource of the class path
   * @param settings of the job, {@code key=value}
   */
  FlinkContainer(Network network, MountableFile jobJar, List<String> settings, Duration limit) {
    super(ServerImage.FLINK.reference());
    withNetwork(network);
    withExposedPorts(REST_PORT);
    withCopyFileToContainer(jobJar, JOB_JAR);
    withCopyToContainer(Transferable.of(CONFIGURATION), CONF_DIR + "/config.yaml");
    // The name stands for $0.
    withCreateContainerCmdModifier(
        command -> command.withEntrypoint("bash", "-c", START, "lastfix-flink"));
    withCommand(settings.stream().flatMap(each -> Stream.of("--set", each)).toArray(String[]::new));
    waitingFor(new JobWaitStrategy(REST_PORT).withStartupTimeout(limit));
  }

  /** For the test's process. */
  String url() {
    return "http://%s:%d".formatted(getHost(), getMappedPort(REST_PORT));
  }
}
