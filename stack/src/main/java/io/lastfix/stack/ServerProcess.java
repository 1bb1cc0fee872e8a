package io.lastfix.stack;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process of the stack. It outlives the JVM that started it: in a session of its own where
 * {@code setsid} exists (so that neither Ctrl-C nor closing the terminal reaches it), with its
 * output in a file and nothing to read from. Not safe for use by several threads.
 */
public final class ServerProcess {
  private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);
  private static final Duration AFTER_KILL = Duration.ofSeconds(10);
  private static final List<Path> SETSID =
      List.of(Path.of("/usr/bin/setsid"), Path.of("/bin/setsid"));

  private final String name;
  private final List<String> command;
  private final Path logFile;
  private @Nullable ProcessHandle handle;

  ServerProcess(String name, List<String> command, Path logFile) {
    this.name = name;
    this.command = List.copyOf(command);
    this.logFile = logFile;
  }

  /** Unique within a stack, for example {@code mongod-0}. */
  public String name() {
    return name;
  }

  /** What the process writes to its standard output and error. */
  public Path logFile() {
    return logFile;
  }

  /** Whether the process is there. That it answers is another matter. */
  public boolean isRunning() {
    return handle != null && handle.isAlive();
  }

  /** Whether there is or was a process, adopted or started. */
  boolean wasStarted() {
    return handle != null;
  }

  /** The process id, of the last start where it has ended. */
  public long pid() {
    return started().pid();
  }

  /** Takes a process that an earlier run of the command started, if it is still that process. */
  void adopt(RecordedProcess recorded) {
    recorded.find().ifPresent(found -> handle = found);
  }

  RecordedProcess record() {
    ProcessHandle process = started();
    return RecordedProcess.of(name, process, logFile);
  }

  /** Starts the process where it isn't running. The log of the run before is kept beside, once. */
  public void start() {
    if (isRunning()) {
      return;
    }
    List<String> full = new ArrayList<>();
    SETSID.stream()
        .filter(Files::isExecutable)
        .findFirst()
        .map(Path::toString)
        .ifPresent(full::add);
    full.addAll(command);
    try {
      keepLogOfTheRunBefore();
      Process process =
          new ProcessBuilder(full)
              .directory(logFile.getParent().toFile())
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .redirectErrorStream(true)
              .redirectOutput(logFile.toFile())
              .start();
      handle = process.toHandle();
    } catch (IOException e) {
      throw new StackException("cannot start " + name + " (" + command.get(0) + "): " + e, e);
    }
    LOG.info("started {} with process id {}: {}", name, pid(), String.join(" ", full));
  }

  /** Asks the process to end (SIGTERM), waits, and kills it if it has not ended in time. */
  public void stop(Duration limit) {
    stop(List.of(this), limit);
  }

  /**
   * The same for several at once, within one limit: members of a replica set each wait for the
   * others when they end.
   */
  static void stop(List<ServerProcess> processes, Duration limit) {
    List<ServerProcess> running = processes.stream().filter(ServerProcess::isRunning).toList();
    running.forEach(process -> process.started().destroy());
    long deadline = System.nanoTime() + limit.toNanos();
    for (ServerProcess process : running) {
      long left = Math.max(0, deadline - System.nanoTime());
      if (!awaitEnd(process.started(), Duration.ofNanos(left))) {
        LOG.warn(
            "{} (process id {}) did not end within {}; killing it",
            process.name,
            process.pid(),
            limit);
        process.kill();
      }
    }
  }

  /** A process of another run. */
  static ServerProcess of(ProcessHandle running, String name, Path logFile) {
    ServerProcess process = new ServerProcess(name, List.of(name), logFile);
    process.handle = running;
    return process;
  }

  /** Kills the process (SIGKILL) and waits until it is gone. */
  public void kill() {
    if (!isRunning()) {
      return;
    }
    ProcessHandle process = started();
    process.destroyForcibly();
    if (!awaitEnd(process, AFTER_KILL)) {
      throw new StackException(
          name
              + " (process id "
              + process.pid()
              + ") is still there after SIGKILL; end it by hand");
    }
  }

  /**
   * Makes the process hang (SIGSTOP): it keeps its ports and its connections, and answers nothing,
   * until {@link #resume()}. {@link #kill()} works on it too.
   */
  public void suspend() {
    signal("STOP");
  }

  /** Lets a process go on that hangs (SIGCONT). */
  public void resume() {
    signal("CONT");
  }

  /** Java itself can send no signals but TERM and KILL. */
  private void signal(String signal) {
    long pid = started().pid();
    try {
      Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(pid)).start();
      if (!kill.waitFor(AFTER_KILL.toMillis(), TimeUnit.MILLISECONDS) || kill.exitValue() != 0) {
        throw new StackException(
            "cannot send " + signal + " to " + name + " (process id " + pid + ")");
      }
    } catch (IOException e) {
      throw new StackException("cannot send " + signal + " to " + name + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StackException("interrupted while sending " + signal + " to " + name, e);
    }
  }

  /** Fails, naming the log, where the process has ended. */
  void mustRun() {
    if (!isRunning()) {
      throw new StackException(name + " has ended; its log: " + logFile + lastLine());
    }
  }

  String lastLine() {
    try (var lines = Files.lines(logFile)) {
      Optional<String> last = lines.filter(line -> !line.isBlank()).reduce((a, b) -> b);
      return last.map(line -> "; its last line: " + line).orElse("");
    } catch (IOException | java.io.UncheckedIOException e) {
      return "; the log cannot be read: " + e;
    }
  }

  /** Whether the process ended within the limit. */
  boolean awaitEnd(Duration limit) {
    return awaitEnd(started(), limit);
  }

  private ProcessHandle started() {
    if (handle == null) {
      throw new IllegalStateException(name + " was never started");
    }
    return handle;
  }

  private static boolean awaitEnd(ProcessHandle process, Duration limit) {
    try {
      process.onExit().get(limit.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StackException("interrupted while waiting for process " + process.pid(), e);
    } catch (ExecutionException e) {
      throw new StackException("cannot wait for process " + process.pid() + ": " + e, e);
    }
  }

  private void keepLogOfTheRunBefore() throws IOException {
    if (Files.exists(logFile)) {
      Path before = logFile.resolveSibling(logFile.getFileName() + ".1");
      Files.move(logFile, before, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Processes on this machine that carry such an argument, whoever started them. */
  static List<ProcessHandle> withArgument(Predicate<String> wanted) {
    return ProcessHandle.allProcesses()
        .filter(
            process ->
                process.info().arguments().map(Arrays::stream).orElse(Stream.of()).anyMatch(wanted))
        .toList();
  }

  static Instant startOf(ProcessHandle process) {
    return process.info().startInstant().orElse(Instant.EPOCH);
  }
}
