package io.lastfix.stack.submission;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.lastfix.stack.LockFile;
import io.lastfix.stack.StackHome;
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
 * What is remembered of submitted jobs, one file each: of the local stack's {@code
 * .lastfix/jobs/<name>.json}, of those on other clusters {@code
 * .lastfix/jobs/elsewhere/<name>.json}. A trial on the local stack has the same job name as
 * production: in one file, each would overwrite from where the other continues.
 */
public final class SubmittedJobs {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final String SUFFIX = ".json";

  private final StackHome home;
  private final boolean isLocalStack;

  private SubmittedJobs(StackHome home, boolean isLocalStack) {
    this.home = home;
    this.isLocalStack = isLocalStack;
  }

  /** Those that were submitted to the local stack of that home. */
  public static SubmittedJobs ofLocalStack(StackHome home) {
    return new SubmittedJobs(home, true);
  }

  /** Those that were submitted from that home to a cluster that the user named. */
  public static SubmittedJobs elsewhere(StackHome home) {
    return new SubmittedJobs(home, false);
  }

  /**
   * Held while a job of that name is started or stopped, so that no two start it at once. It is one
   * lock, wherever the job was submitted.
   */
  public LockFile lock(String name) {
    return new LockFile(
        home.jobsDirectory().resolve(fileName(name) + ".lock"),
        "another lastfix submit, stop, down or supervise of job '" + name + "'");
  }

  /** What is remembered of the job of that name. */
  public Optional<SubmittedJob> find(String name) throws IOException {
    for (Path file : isLocalStack ? List.of(file(name)) : List.of(file(name), formerFile(name))) {
      if (Files.exists(file)) {
        return Optional.of(read(file)).filter(this::isOurs);
      }
    }
    return Optional.empty();
  }

  private boolean isOurs(SubmittedJob job) {
    return job.submission().wentToLocalStack() == isLocalStack;
  }

  /** The names of all that are remembered, also of those whose file is damaged. */
  public List<String> names() throws IOException {
    return files().stream()
        .map(file -> file.getFileName().toString())
        .map(name -> name.substring(0, name.length() - SUFFIX.length()))
        .map(name -> URLDecoder.decode(name, StandardCharsets.UTF_8))
        .toList();
  }

  /** Replaces what is remembered of the job of that name, at once. */
  public void remember(SubmittedJob job) throws IOException {
    if (!isOurs(job)) {
      throw new IllegalArgumentException("of another cluster: " + job.submission().cluster());
    }
    if (isLocalStack) {
      keepFormer(job.name());
    }
    Path file = file(job.name());
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.write(next, JSON.writeValueAsBytes(job));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Moves a job of another cluster, which was written by 0.1.0, out of the way. */
  private void keepFormer(String name) throws IOException {
    SubmittedJobs elsewhere = elsewhere(home);
    Path former = formerFile(name);
    if (!Files.exists(former) || Files.exists(elsewhere.file(name))) {
      return;
    }
    SubmittedJob known;
    try {
      known = read(former);
    } catch (IOException damaged) {
      // It is replaced, as a damaged file always was.
      return;
    }
    if (elsewhere.isOurs(known)) {
      elsewhere.remember(known);
    }
  }

  /** Forgets them; for the local stack, whose checkpoints are deleted with its data. */
  public void forgetAll() throws IOException {
    for (Path file : files()) {
      if (isOurs(read(file))) {
        Files.delete(file);
      }
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

  /** Where 0.1.0 remembered a job, whatever its cluster. */
  private Path formerFile(String name) {
    return home.jobsDirectory().resolve(fileName(name) + SUFFIX);
  }

  private Path directory() {
    return isLocalStack ? home.jobsDirectory() : home.jobsElsewhereDirectory();
  }

  /** A job's name may hold what a file's name must not. */
  private static String fileName(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("*", "%2A");
  }

  private static SubmittedJob read(Path file) throws IOException {
    try {
      return JSON.readValue(file.toFile(), SubmittedJob.class);
    } catch (JsonProcessingException e) {
      throw new IOException(
          "%s is damaged: %s; delete it, and start the job with ./lastfix submit --from-savepoint"
              .formatted(file, e.getOriginalMessage()),
          e);
    }
  }
}
