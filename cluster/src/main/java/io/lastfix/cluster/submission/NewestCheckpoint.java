package io.lastfix.cluster.submission;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the newest completed checkpoint or savepoint from which a job can resume.
 *
 * <p>If Flink keeps them in a folder of this machine, the folder is read. A checkpoint is complete
 * once its {@code _metadata} exists, because Flink renames that file into place last. If they are
 * elsewhere, the last one that Flink's REST API named is used.
 *
 * <p>The checkpoint from which the job itself was started is used only if the folder is on this
 * machine and holds none. A checkpoint older than the newest loses no record, but is not harmless
 * (see {@code docs/decisions/local.md}).
 *
 * @see <a
 *     href="https://nightlies.apache.org/flink/flink-docs-release-1.20/docs/ops/state/checkpoints/#directory-structure">Flink's
 *     folders</a>
 */
public final class NewestCheckpoint {
  private static final String METADATA = "_metadata";
  private static final int DIGITS_IN_SAVEPOINT_NAME = 6;

  /** Paths as Flink writes them, without encoding: {@code /a}, {@code file:/a} and so on. */
  private static final Pattern LOCAL = Pattern.compile("(file:(//)?)?(?<path>/[^/].*)");

  private NewestCheckpoint() {}

  /**
   * Finds it.
   *
   * @return a path for Flink; empty if the job was started without state and certainly completed
   *     none
   * @throws UnknownCheckpointException if none of this job is known, but there may be one
   */
  public static Optional<String> of(SubmittedJob job) throws IOException {
    Optional<Path> checkpoints =
        local(job.submission().checkpointDirectory())
            .map(directory -> directory.resolve(job.id()))
            .filter(Files::isDirectory);
    List<Path> found = new ArrayList<>();
    if (checkpoints.isPresent()) {
      found.addAll(completed(checkpoints.get(), name -> name.startsWith("chk-")));
    }
    Optional<Path> savepoints =
        local(job.submission().savepointDirectory()).filter(Files::isDirectory);
    if (savepoints.isPresent()) {
      String prefix = "savepoint-" + job.id().substring(0, DIGITS_IN_SAVEPOINT_NAME) + "-";
      found.addAll(completed(savepoints.get(), name -> name.startsWith(prefix)));
    }
    local(job.latest()).filter(NewestCheckpoint::isComplete).ifPresent(found::add);
    Optional<String> newest =
        found.stream()
            .max(Comparator.comparing(NewestCheckpoint::completedAtMillis))
            .map(NewestCheckpoint::pathForFlink)
            .or(() -> Optional.ofNullable(job.latest()));
    if (newest.isPresent()) {
      return newest;
    }
    if (checkpoints.isEmpty()) {
      throw new UnknownCheckpointException(job);
    }
    return Optional.ofNullable(job.startedFrom());
  }

  private static List<Path> completed(Path directory, Predicate<String> name) throws IOException {
    try (Stream<Path> children = Files.list(directory)) {
      return children
          .filter(child -> name.test(child.getFileName().toString()))
          .filter(NewestCheckpoint::isComplete)
          .toList();
    }
  }

  private static boolean isComplete(Path checkpoint) {
    return Files.isRegularFile(checkpoint.resolve(METADATA));
  }

  /**
   * The completion time; 0 if it was deleted since it was listed, as Flink does with the oldest.
   */
  private static long completedAtMillis(Path checkpoint) {
    return checkpoint.resolve(METADATA).toFile().lastModified();
  }

  private static String pathForFlink(Path checkpoint) {
    return "file:" + checkpoint;
  }

  /** The path, if it is on this machine. */
  private static Optional<Path> local(@Nullable String path) {
    return path == null
        ? Optional.empty()
        : Optional.of(LOCAL.matcher(path))
            .filter(Matcher::matches)
            .map(matcher -> Path.of(matcher.group("path")));
  }
}
