package io.lastfix.cluster.flink;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs Flink's SQL client in a separate process, with this process's terminal.
 *
 * <p>The statements that make the tables hold passwords. They are in a file of a folder that only
 * this user may read, and the client deletes the file once it has read it. They are in no argument,
 * and the client logs warnings only, since it would log statements.
 *
 * @param flinkLib folder with the jars of a Flink distribution's lib
 * @param sqlLib folder with the jars of the client, and of the connectors that the job jar lacks
 * @param jobJar has the other connectors
 * @param home receives the folder of the run, and the history of the dialogue
 * @param flink the cluster's web address
 */
public record SqlClientRun(Path flinkLib, Path sqlLib, Path jobJar, Path home, URI flink) {
  /**
   * A string, because the program runs with its own class path. {@code ArchitectureTest} checks
   * that it exists.
   */
  private static final String MAIN_CLASS = "io.lastfix.sql.shell.SqlShell";

  private static final String INIT = "init.sql";
  private static final String SCRIPT = "script.sql";
  private static final String CONFIG = "config.yaml";

  /** Connectors and formats are loaded as user code, in the client as on the cluster. */
  private static final String CONNECTOR = "flink-connector-";

  private static final String FORMAT = "lastfix-sql-";

  /** How long a folder that a killed process left is kept. */
  private static final Duration KEPT = Duration.ofHours(1);

  private static final long END_SECONDS = 10;

  /**
   * Runs the client to its end.
   *
   * @param init statements that make the tables
   * @param script statements to run; empty: the dialogue
   * @return the client's exit code
   */
  public int run(String init, String script) throws IOException, InterruptedException {
    ClientFolder client = ClientFolder.create(home, "sql-", KEPT);
    Path folder = client.path();
    try {
      write(folder.resolve(INIT), init);
      if (!script.isEmpty()) {
        write(folder.resolve(SCRIPT), script);
      }
      write(
          folder.resolve(CONFIG),
          """
          rest.address: '%s'
          rest.port: %d
          execution.target: remote
          """
              .formatted(flink.getHost(), flink.getPort() < 0 ? 80 : flink.getPort()));
      ProcessBuilder builder = new ProcessBuilder(command(client)).inheritIO();
      builder.environment().put("FLINK_CONF_DIR", folder.toString());
      return await(builder.start(), script.isEmpty());
    } finally {
      client.delete();
    }
  }

  private static int await(Process process, boolean isDialogue) throws InterruptedException {
    // The terminal's interrupt reaches both processes. In the dialogue it ends the query, or the
    // line, and not the client: this process must then live as long as the client does.
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> end(process, isDialogue), "end-sql-client"));
    return process.waitFor();
  }

  private static void end(Process process, boolean isDialogue) {
    try {
      if (isDialogue) {
        process.waitFor();
        return;
      }
      process.destroy();
      if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<String> command(ClientFolder client) throws IOException {
    List<String> command = client.java();
    // The planner computes constants in the JVM's zone, whatever table.local-time-zone says.
    command.add("-Duser.timezone=UTC");
    // Without a terminal, as in a pipe, JLine then takes the streams without a warning. With one it
    // uses the terminal all the same.
    command.add("-Dorg.jline.terminal.dumb=true");
    command.addAll(FlinkJvm.CLIENT_OPTIONS);
    command.add("-cp");
    List<String> classPath = new ArrayList<>();
    List<String> userCode = new ArrayList<>(List.of(jobJar.toString()));
    classPath.add(flinkLib.resolve("*").toString());
    for (Path jar : jars()) {
      String name = jar.getFileName().toString();
      if (!name.startsWith(CONNECTOR)) {
        classPath.add(jar.toString());
      }
      if (name.startsWith(CONNECTOR) || name.startsWith(FORMAT)) {
        userCode.add(jar.toString());
      }
    }
    command.add(String.join(System.getProperty("path.separator"), classPath));
    command.add(MAIN_CLASS);
    command.add(client.path().toString());
    command.add(home.resolve("sql-history").toString());
    command.addAll(userCode);
    return command;
  }

  private List<Path> jars() throws IOException {
    try (Stream<Path> files = Files.list(sqlLib)) {
      return files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
  }

  /** A file that only this user may read, from its first byte on. */
  private static void write(Path file, String text) throws IOException {
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, text);
  }
}
