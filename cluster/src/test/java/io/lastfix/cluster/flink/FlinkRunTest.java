package io.lastfix.cluster.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a substitute for Flink's command, which acts as its arguments say. */
class FlinkRunTest {
  private static final String CLI_FRONTEND = "org/apache/flink/client/cli/CliFrontend";
  private static final Path JAR = Path.of("job.jar");
  private static final String ID = "a0b1c2d3e4f5061728394a5b6c7d8e9f";
  private static final String OTHER_ID = "ffffffffffffffffffffffffffffffff";
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir private Path directory;

  private FlinkRun flinkRun;

  /**
   * Arguments after the jar: {@code say ID}, {@code await FILE}, {@code fail TEXT} or {@code die
   * TEXT}, any number of times.
   */
  @BeforeEach
  void makeCommand() throws IOException {
    Path source = directory.resolve(CLI_FRONTEND + ".java");
    Files.createDirectories(source.getParent());
    Files.writeString(
        source,
        """
        package org.apache.flink.client.cli;
        public class CliFrontend {
          public static void main(String[] args) throws Exception {
            // What Flink's logging does when it starts.
            java.nio.file.Path conf = java.nio.file.Path.of(System.getenv("FLINK_CONF_DIR"));
            java.util.Properties logging = new java.util.Properties();
            try (var in = java.nio.file.Files.newInputStream(conf.resolve("log4j-cli.properties"))) {
              logging.load(in);
            }
            new java.io.File(logging.getProperty("appender.file.fileName")).createNewFile();
            int i = java.util.Arrays.asList(args).indexOf("job.jar") + 1;
            for (; i < args.length; i += 2) {
              if (args[i].equals("say")) {
                System.out.println("Job has been submitted with JobID " + args[i + 1]);
              } else if (args[i].equals("die")) {
                // Before its logging starts.
                java.nio.file.Files.delete(conf.resolve("client.log"));
                System.err.println(args[i + 1]);
                System.exit(1);
              } else if (args[i].equals("fail")) {
                java.nio.file.Files.writeString(
                    conf.resolve("client.log"),
                    String.join(
                        System.lineSeparator(),
                        "WARN  Driver - closing",
                        "ERROR CliFrontend - Error while running the command.",
                        "java.lang.IllegalStateException: outer",
                        "\\tat a.B.c(B.java:1)",
                        "Caused by: " + args[i + 1],
                        "\\tat a.B.c(B.java:2)",
                        "WARN  Driver - closed",
                        "java.lang.ClassNotFoundException: gone",
                        "Caused by: gone"));
                System.err.println(" The program finished with the following exception:");
                System.err.println("java.lang.NoClassDefFoundError: gone");
                System.err.println("Caused by: java.lang.ClassNotFoundException: gone");
                System.exit(1);
              } else {
                java.nio.file.Path file = java.nio.file.Path.of(args[i + 1]);
                try (var watch = file.getFileSystem().newWatchService()) {
                  file.getParent()
                      .register(watch, java.nio.file.StandardWatchEventKinds.ENTRY_CREATE);
                  while (!java.nio.file.Files.exists(file)) {
                    watch.take().reset();
                  }
                }
              }
            }
          }
        }
        """);
    assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, source.toString()))
        .isZero();
    Path lib = Files.createDirectories(directory.resolve("lib"));
    try (JarOutputStream jar =
        new JarOutputStream(Files.newOutputStream(lib.resolve("flink.jar")))) {
      jar.putNextEntry(new JarEntry(CLI_FRONTEND + ".class"));
      jar.write(Files.readAllBytes(directory.resolve(CLI_FRONTEND + ".class")));
    }
    flinkRun = new FlinkRun(lib, directory, "http://127.0.0.1:8081");
  }

  private String submit(String... script) throws IOException, InterruptedException {
    return flinkRun.submit(JAR, List.of(script), null, Map.of());
  }

  @Test
  void twoSubmissionsAtOnceGetEachItsOwnJob() throws Exception {
    Path mayEnd = directory.resolve("may-end");
    CompletableFuture<String> first =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return submit("say", ID, "await", mayEnd.toString());
              } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    Awaitility.await()
        .atMost(LIMIT)
        .until(() -> Files.isDirectory(directory.resolve("flink-client")));

    String second = submit("say", OTHER_ID);
    Files.createFile(mayEnd);

    assertThat(second).isEqualTo(OTHER_ID);
    assertThat(first).succeedsWithin(LIMIT).isEqualTo(ID);
    assertThat(directory.resolve("flink-client")).isEmptyDirectory();
  }

  @Test
  void aSubmissionWithALongCommandLineIsAwaited() throws Exception {
    Path mayEnd = directory.resolve("may end \"now\"");
    List<String> script = new ArrayList<>(List.of("say", ID, "await", mayEnd.toString()));
    for (int i = 0; i < 1000; i++) {
      script.addAll(List.of("say", ID));
    }
    CompletableFuture<String> submission =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return submit(script.toArray(String[]::new));
              } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    // Its last act before it waits.
    Awaitility.await()
        .atMost(LIMIT)
        .until(
            () -> {
              try (Stream<Path> files = Files.walk(directory.resolve("flink-client"))) {
                return files.anyMatch(
                    file -> file.endsWith("submit.log") && file.toFile().length() > 0);
              } catch (IOException | UncheckedIOException e) {
                return false;
              }
            });

    CompletableFuture<Void> others =
        CompletableFuture.runAsync(
            () -> {
              try {
                flinkRun.awaitOthers();
              } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
              }
            });

    assertThatThrownBy(() -> others.get(2, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
    Files.createFile(mayEnd);
    assertThat(others).succeedsWithin(LIMIT);
    assertThat(submission).succeedsWithin(LIMIT).isEqualTo(ID);
  }

  @Test
  void aSubmissionOfSeveralJobsIsAmbiguous() {
    assertThatThrownBy(() -> submit("say", ID, "say", OTHER_ID))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("submitted 2 jobs", ID, OTHER_ID);
  }

  @Test
  void whatFailedIsToldAndNotWhatAnotherThreadSaysAfterIt() {
    assertThatThrownBy(() -> submit("fail", "a remedy"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(
            "the job was not submitted: a remedy"
                + System.lineSeparator()
                + "the output of flink run");
  }

  @Test
  void whatWasPrintedIsToldWhereTheCommandCameToNoLog() {
    assertThatThrownBy(() -> submit("die", "Unrecognized option"))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("the job was not submitted: Unrecognized option");
  }
}
