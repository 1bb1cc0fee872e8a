package io.lastfix.stack;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A process as the state file remembers it.
 *
 * @param name unique within a stack
 * @param pid the operating system's process id, which it may since have given to another process
 * @param startedAtMillis when the process started, epoch milliseconds; tells it from such another
 * @param logFile where its output goes
 */
public record RecordedProcess(String name, long pid, long startedAtMillis, String logFile) {
  /** The start time is reckoned from the time of boot, which moves when the clock is set. */
  private static final Duration START_TOLERANCE = Duration.ofSeconds(2);

  public static RecordedProcess of(String name, ProcessHandle process, Path logFile) {
    return new RecordedProcess(
        name, process.pid(), ServerProcess.startOf(process).toEpochMilli(), logFile.toString());
  }

  /** The process, where it is still running and still the same. */
  public Optional<ProcessHandle> find() {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::startedAsRecorded);
  }

  private boolean startedAsRecorded(ProcessHandle process) {
    Duration apart =
        Duration.between(Instant.ofEpochMilli(startedAtMillis), ServerProcess.startOf(process));
    return apart.abs().compareTo(START_TOLERANCE) <= 0;
  }
}
