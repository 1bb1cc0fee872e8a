package io.lastfix.cluster.submission;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.lastfix.cluster.LockFile;
import io.lastfix.cluster.StackHome;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The records of submitted jobs, one file each: {@code .lastfix/jobs/<name>.json} for the local
 * stack, {@code .lastfix/jobs/elsewhere/<name>.json} for other clusters. A trial on the local stack
 * has the same job name as production; in one file, each would overwrite the other's restore point.
 *
 * @param home whose folder holds the records
 * @param isLocalStack whether they are of jobs of the local stack
 */
public record SubmittedJobs(StackHome home, boolean isLocalStack) {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final String SUFFIX = ".json";
  private static final String UPGRADE_SUFFIX = ".upgrade";

  /** The jobs that were submitted to the local stack of that home. */
  public static SubmittedJobs ofLocalStack(StackHome home) {
    return new SubmittedJobs(home, true);
  }

  /** The jobs that were submitted from that home to a cluster that the user named. */
  public static SubmittedJobs elsewhere(StackHome home) {
    return new SubmittedJobs(home, false);
  }

  /**
   * The lock held while a job of that name is started or stopped, so that two commands never start
   * it at once. All clusters share one lock.
   */
  public LockFile lock(String name) {
    return new LockFile(
        home.jobsDirectory().resolve(fileName(name) + ".lock"),
        "another lastfix submit, stop, down or supervise of job '" + name + "'");
  }

  /** The record of the job of that name. */
  public Optional<SubmittedJob> find(String name) throws IOException {
    return find(file(name), SubmittedJob.class, "--from-savepoint");
  }

  /** Returns whether a file in a directory of jobs is the record of a job or of an upgrade. */
  static boolean isRecord(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(SUFFIX) || name.endsWith(UPGRADE_SUFFIX);
  }

  /** The names of all recorded jobs, including those with a damaged file. */
  public List<String> names() throws IOException {
    return files().stream()
        .map(file -> file.getFileName().toString())
        .map(name -> name.substring(0, name.length() - SUFFIX.length()))
        .flatMap(name -> decode(name).stream())
        .toList();
  }

  /** Empty for a file that is none of ours. */
  private static Optional<String> decode(String fileName) {
    try {
      return Optional.of(URLDecoder.decode(fileName, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Called for a stop if no stack runs: {@code down} may have stopped the job already, and then the
   * user needs no {@code up}.
   *
   * @throws IOException if it has
   */
  public void requireNotTakenDown(String name) throws IOException {
    Optional<SubmittedJob> known = find(name);
    if (known.isPresent() && known.get().end() == SubmittedJob.End.TAKEN_DOWN) {
      // The user wants it stopped, so it is not expected to run after the next start.
      remember(known.get().ended(SubmittedJob.End.STOPPED));
      throw new IOException(
          "job '%s' does not run: lastfix down has stopped it already. It resumes with %s"
              .formatted(name, known.get().resumeCommands()));
    }
  }

  /** Replaces the record of the job of that name atomically. */
  public void remember(SubmittedJob job) throws IOException {
    rememberForNow(job);
    writeScrapeTargets();
  }

  /**
   * Replaces the record of a job that is submitted in a moment, so it ought to run as before. If
   * the rules were written twice, Prometheus would end its alert while it reads them, and the alert
   * would be pending again before that end is repeated: Alertmanager would show it for four minutes
   * more.
   */
  void rememberForNow(SubmittedJob job) throws IOException {
    if (job.submission().targetsLocalStack() != isLocalStack) {
      throw new IllegalArgumentException("of another cluster: " + job.submission().cluster());
    }
    replace(file(job.name()), job);
  }

  /** Writes the jobs that ought to run for the local stack's Prometheus, if they have changed. */
  void writeScrapeTargets() {
    if (isLocalStack) {
      new ExpectedRules(home).write();
    }
  }

  private static void replace(Path file, Object content) throws IOException {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.write(next, JSON.writeValueAsBytes(content));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** The upgrade of the job of that name that has not ended, if any. */
  public Optional<UpgradeRecord> findUpgrade(String name) throws IOException {
    return find(upgradeFile(name), UpgradeRecord.class, "--resume");
  }

  /** The upgrade that has not ended, unless another command has started the job since. */
  public Optional<UpgradeRecord> findCurrentUpgrade(String name) throws IOException {
    Optional<SubmittedJob> known = find(name);
    return findUpgrade(name).filter(upgrade -> known.filter(upgrade::covers).isPresent());
  }

  /** Replaces the record of the job's upgrade atomically. */
  void rememberUpgrade(String name, UpgradeRecord upgrade) throws IOException {
    replace(upgradeFile(name), upgrade);
    writeScrapeTargets();
  }

  /** The job's upgrade has ended. */
  void forgetUpgrade(String name) throws IOException {
    Files.deleteIfExists(upgradeFile(name));
    writeScrapeTargets();
  }

  private Path upgradeFile(String name) {
    return directory().resolve(fileName(name) + UPGRADE_SUFFIX);
  }

  /** Deletes all records; for the local stack, whose checkpoints are deleted with its data. */
  public void deleteAll() throws IOException {
    for (Path file : files()) {
      Files.delete(file);
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(directory())) {
      return files.filter(file -> file.toString().endsWith(SUFFIX)).sorted().toList();
    }
  }

  private Path file(String name) {
    return directory().resolve(fileName(name) + SUFFIX);
  }

  private Path directory() {
    return isLocalStack ? home.jobsDirectory() : home.jobsElsewhereDirectory();
  }

  /** Escapes the job's name, which may hold characters that a file name must not. */
  private static String fileName(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("*", "%2A");
  }

  /**
   * Reads a record, if it is there.
   *
   * @param start the option with which the job starts without the record
   */
  private static <T> Optional<T> find(Path file, Class<T> type, String start) throws IOException {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      T value = JSON.readValue(file.toFile(), type);
      if (value == null) {
        throw new JsonMappingException(null, "it holds only null");
      }
      return Optional.of(value);
    } catch (JsonProcessingException e) {
      throw new IOException(
          "%s is damaged: %s; delete it, and start the job with lastfix submit %s"
              .formatted(file, e.getOriginalMessage(), start),
          e);
    }
  }
}
