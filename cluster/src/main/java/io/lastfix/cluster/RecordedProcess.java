package io.lastfix.cluster;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A process in the state file.
 *
 * @param name unique within a stack
 * @param pid the operating system's process id, which may belong to another process by now
 * @param startedAtMillis the start of the process, epoch milliseconds; distinguishes it from such
 *     another process
 * @param logFile the file of its output
 */
public record RecordedProcess(String name, long pid, long startedAtMillis, String logFile) {
  /** The start time is computed from the boot time, which moves when the clock is adjusted. */
  private static final Duration START_TOLERANCE = Duration.ofSeconds(2);

  public static RecordedProcess of(String name, ProcessHandle process, Path logFile) {
    return new RecordedProcess(
        name, process.pid(), startOf(process).toEpochMilli(), logFile.toString());
  }

  /**
   * Returns the processes on this machine with a matching argument, also those of other programs.
   */
  public static List<ProcessHandle> withArgument(Predicate<String> wanted) {
    return ProcessHandle.allProcesses()
        .filter(
            process ->
                process.info().arguments().map(Arrays::stream).orElse(Stream.of()).anyMatch(wanted))
        .toList();
  }

  /** The process, if it still runs and is the same one. */
  public Optional<ProcessHandle> find() {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(this::startedAsRecorded);
  }

  /** When a process started; the epoch if the operating system does not report it. */
  static Instant startOf(ProcessHandle process) {
    return process.info().startInstant().orElse(Instant.EPOCH);
  }

  private boolean startedAsRecorded(ProcessHandle process) {
    Duration apart = Duration.between(Instant.ofEpochMilli(startedAtMillis), startOf(process));
    return apart.abs().compareTo(START_TOLERANCE) <= 0;
  }
}
