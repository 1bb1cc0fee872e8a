package io.lastfix.local;

import io.lastfix.cluster.RecordedProcess;
import io.lastfix.cluster.StackException;
import io.lastfix.kit.failure.FileFailure;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process of the stack, which outlives the JVM that started it. If {@code setsid} exists, it
 * runs in its own session, so that neither Ctrl-C nor closing the terminal reaches it. Its output
 * goes to a file, and it has no input. Not thread-safe.
 */
public final class ServerProcess {
  private static final Logger LOG = LoggerFactory.getLogger(ServerProcess.class);
  private static final int TAIL_BYTES = 16 * 1024;
  private static final Duration AFTER_KILL = Duration.ofSeconds(10);
  private static final List<Path> SETSID =
      List.of(Path.of("/usr/bin/setsid"), Path.of("/bin/setsid"));

  private final String name;
  private final Supplier<List<String>> command;
  private final Path logFile;
  private @Nullable ProcessHandle handle;

  /**
   * @param command supplies it at each start, and may throw a {@link StackException}: a program
   *     that is no longer installed is missed only where it has to start
   */
  ServerProcess(String name, Supplier<List<String>> command, Path logFile) {
    this.name = name;
    this.command = command;
    this.logFile = logFile;
  }

  /** The name, unique within a stack, for example {@code mongod-0}. */
  public String name() {
    return name;
  }

  /** The file of the process's standard output and error. */
  public Path logFile() {
    return logFile;
  }

  /** Returns whether the process exists; it may not answer yet. */
  public boolean isRunning() {
    return handle != null && handle.isAlive();
  }

  /** Returns whether a process was ever adopted or started. */
  boolean wasStarted() {
    return handle != null;
  }

  /** The process id of the last start, even if the process has ended. */
  public long pid() {
    return started().pid();
  }

  /** Adopts a process that an earlier command started, if it is still the same process. */
  void adopt(RecordedProcess recorded) {
    recorded.find().ifPresent(found -> handle = found);
  }

  RecordedProcess record() {
    ProcessHandle process = started();
    return RecordedProcess.of(name, process, logFile);
  }

  /**
   * Starts the process if it does not run. Keeps the log of the previous run under another name.
   */
  public void start() {
    if (isRunning()) {
      return;
    }
    List<String> program = command.get();
    List<String> full = new ArrayList<>();
    SETSID.stream()
        .filter(Files::isExecutable)
        .findFirst()
        .map(Path::toString)
        .ifPresent(full::add);
    full.addAll(program);
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
      throw new StackException("cannot start " + name + " (" + program.get(0) + "): " + e, e);
    }
    LOG.info("started {} with process id {}: {}", name, pid(), String.join(" ", full));
  }

  /** Requests the process to end (SIGTERM), waits, and kills it if it has not ended in time. */
  public void stop(Duration limit) {
    stop(List.of(this), limit);
  }

  /**
   * Stops several processes at once, within one limit: a replica set's members wait for each other
   * when they end.
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

  /** Wraps a process of another run. */
  static ServerProcess of(ProcessHandle running, String name, Path logFile) {
    ServerProcess process = new ServerProcess(name, () -> List.of(name), logFile);
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
          name + " (process id " + process.pid() + ") still runs after SIGKILL; end it by hand");
    }
  }

  /** Fails with the log's name if the process has ended. */
  void mustRun() {
    if (!isRunning()) {
      throw new StackException(name + " has ended; its log: " + logFile + lastLine());
    }
  }

  /** The last line of the log, in words that continue a sentence; empty if it has none. */
  String lastLine() {
    if (!Files.exists(logFile)) {
      return "";
    }
    try (RandomAccessFile file = new RandomAccessFile(logFile.toFile(), "r")) {
      byte[] tail = new byte[(int) Math.min(file.length(), TAIL_BYTES)];
      file.seek(file.length() - tail.length);
      file.readFully(tail);
      return new String(tail, StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank())
          .reduce((first, second) -> second)
          .map(line -> "; its log's last line: " + line)
          .orElse("");
    } catch (IOException e) {
      return "; its log cannot be read: " + FileFailure.reason(e);
    }
  }

  /** Returns whether the process ended within the limit. */
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
      throw new StackException(
          "cannot wait for process %d: %s".formatted(process.pid(), e.getCause()), e);
    }
  }

  private void keepLogOfTheRunBefore() throws IOException {
    if (Files.exists(logFile)) {
      Path before = logFile.resolveSibling(logFile.getFileName() + ".1");
      Files.move(logFile, before, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
