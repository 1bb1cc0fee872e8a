package io.lastfix.deadlock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job with deadlocked tasks, in a JVM of its own: nothing else ends them. */
class DeadlockWatchOperatorTest {
  @TempDir private Path directory;

  @Test
  void aTaskManagerWhoseTasksAreDeadlockedEndsAndItsLogSaysWhere() throws Exception {
    Path output = directory.resolve("output");
    Process process =
        new ProcessBuilder(command())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      // Flink's own line about a fatal error of a TaskManager.
      await("the TaskManager's end")
          .atMost(Duration.ofSeconds(100))
          .until(() -> Files.readString(output).contains("TaskManager #0 failed"));
    } finally {
      process.destroyForcibly().waitFor();
    }

    assertThat(Files.readString(output))
        .contains("Tasks of this TaskManager are deadlocked")
        .contains("start it: bin/taskmanager.sh start")
        .containsSubsequence(
            "waits for java.lang.Exception@",
            "java.lang.Throwable.writeObject(",
            "has locked java.lang.Exception@",
            "org.apache.flink.runtime.taskmanager.Task.notifyFinalState(");
  }

  /** As this JVM was started: Flink needs what it adds, and a short life no optimizing compiler. */
  private static List<String> command() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith("--add-") || argument.startsWith("-XX:"))
            .toList());
    Path classPath = Files.createTempFile("class-path", ".args");
    classPath.toFile().deleteOnExit();
    Files.writeString(classPath, "-cp \"" + System.getProperty("java.class.path") + "\"", UTF_8);
    command.add("@" + classPath);
    command.add(DeadlockedJob.class.getName());
    return command;
  }
}
