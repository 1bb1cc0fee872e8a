package io.lastfix.cli.resume;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.lastfix.cli.stack.LockFile;
import io.lastfix.cli.stack.StackHome;
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

/** What is remembered of submitted jobs: one file each, {@code .lastfix/jobs/<name>.json}. */
public final class SubmittedJobs {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
  private static final String SUFFIX = ".json";

  private final StackHome home;

  /** Of that home. */
  public SubmittedJobs(StackHome home) {
    this.home = home;
  }

  /** Held while a job of that name is started or stopped, so that no two start it at once. */
  public LockFile lock(String name) {
    return new LockFile(
        home.jobsDirectory().resolve(fileName(name) + ".lock"),
        "another lastfix submit, stop, down or supervise of job '" + name + "'");
  }

  /** What is remembered of the job of that name. */
  public Optional<SubmittedJob> find(String name) throws IOException {
    Path file = file(name);
    return Files.exists(file) ? Optional.of(read(file)) : Optional.empty();
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
    Path file = file(job.name());
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.write(next, JSON.writeValueAsBytes(job));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Forgets the jobs of the local stack, whose checkpoints are deleted with its data. */
  public void forgetThoseOfTheLocalStack() throws IOException {
    for (Path file : files()) {
      if (read(file).submission().cluster().equals(Submission.LOCAL_STACK)) {
        Files.delete(file);
      }
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(home.jobsDirectory())) {
      return files.filter(file -> file.toString().endsWith(SUFFIX)).sorted().toList();
    }
  }

  private Path file(String name) {
    return home.jobsDirectory().resolve(fileName(name) + SUFFIX);
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
