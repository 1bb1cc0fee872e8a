package io.lastfix.operate.status;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.cluster.RecordedProcess;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Whether the disks of a local stack are full.
 *
 * @param low the disks with less than 5 % free
 * @param failures by name of each process that met a full disk, what its log says, and where; of a
 *     process that runs only if a disk is low now
 */
public record DiskSpace(List<Disk> low, Map<String, String> failures) {
  private static final long LOW_PERCENT = 5;
  private static final int TAIL_BYTES = 256 * 1024;

  /** By the operating system, by the names of its errors, and by MongoDB. */
  private static final Pattern FULL =
      Pattern.compile(
          "no space left on device|disk quota exceeded|\\bENOSPC\\b|\\bEDQUOT\\b|\\bOutOfDiskSpace\\b",
          Pattern.CASE_INSENSITIVE);

  /**
   * A file system.
   *
   * @param path a directory of the stack on it
   * @param freeBytes for files of this user
   */
  public record Disk(String path, long freeBytes, long totalBytes) {
    boolean isLow() {
      return freeBytes < totalBytes / 100.0 * LOW_PERCENT;
    }

    String text() {
      return "%s: %,d bytes free of %,d (%.1f %%): make room there"
          .formatted(path, freeBytes, totalBytes, 100.0 * freeBytes / totalBytes);
    }
  }

  /** Copies the collections. */
  public DiskSpace {
    low = List.copyOf(low);
    failures = Collections.unmodifiableMap(new TreeMap<>(failures));
  }

  /** Inspects the disks of a home, and the logs of its processes. */
  public static DiskSpace of(StackHome home) {
    return of(disks(home), StackState.read(home).orElse(StackState.empty()).processes());
  }

  static DiskSpace of(List<Disk> disks, List<RecordedProcess> processes) {
    List<Disk> low = disks.stream().filter(Disk::isLow).toList();
    Map<String, String> failures = new TreeMap<>();
    for (RecordedProcess process : processes) {
      if (!low.isEmpty() || process.find().isEmpty()) {
        failure(Path.of(process.logFile()))
            .ifPresent(
                words ->
                    failures.put(
                        process.name(), "\"%s\" in %s".formatted(words, process.logFile())));
      }
    }
    return new DiskSpace(low, failures);
  }

  /** A directory of the home may be a disk of its own. */
  static List<Disk> disks(StackHome home) {
    Map<FileStore, Disk> disks = new LinkedHashMap<>();
    for (Path directory : directories(home)) {
      try {
        FileStore store = Files.getFileStore(directory);
        if (store.getTotalSpace() > 0) {
          disks.putIfAbsent(
              store, new Disk(directory.toString(), store.getUsableSpace(), store.getTotalSpace()));
        }
      } catch (IOException e) {
        // It was deleted meanwhile, or a chroot does not show its disk: the others still count.
      }
    }
    return List.copyOf(disks.values());
  }

  private static List<Path> directories(StackHome home) {
    List<Path> directories = new ArrayList<>();
    for (Path parent : List.of(home.root(), home.data())) {
      File[] children = parent.toFile().listFiles(File::isDirectory);
      if (children != null) {
        directories.add(parent);
        Stream.of(children).sorted().map(File::toPath).forEach(directories::add);
      }
    }
    return directories;
  }

  /** What the end of a log says of a full disk. */
  private static Optional<String> failure(Path log) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      byte[] tail = new byte[(int) Math.min(file.length(), TAIL_BYTES)];
      file.seek(file.length() - tail.length);
      file.readFully(tail);
      Matcher full = FULL.matcher(new String(tail, UTF_8));
      return full.find() ? Optional.of(full.group()) : Optional.empty();
    } catch (IOException e) {
      // A log that is gone says nothing.
      return Optional.empty();
    }
  }

  /** A line for each disk that is nearly full, and for each process that met a full one. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    low.forEach(disk -> lines.add(disk.text()));
    failures.forEach(
        (process, text) -> lines.add("%s met a full disk: %s".formatted(process, text)));
    return lines;
  }

  /** Where room is needed before anything is started; empty if there is enough. */
  Optional<String> remedy() {
    return low.isEmpty()
        ? Optional.empty()
        : Optional.of("make room in " + String.join(", ", low.stream().map(Disk::path).toList()));
  }
}
