package io.lastfix.cluster.submission;

import io.lastfix.cluster.StackHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of the submitted jars, named after their content. A job can be started again from its own
 * jar although the archive was replaced since, or the repository was built again. Flink does not
 * return a submitted jar.
 *
 * @param home whose folder of jars holds the copies
 */
public record KeptJars(StackHome home) {
  private static final Logger LOG = LoggerFactory.getLogger(KeptJars.class);
  private static final String SUFFIX = ".jar";

  /** How long a jar stays that no record names: longer than a submission takes. */
  private static final Duration UNUSED = Duration.ofDays(1);

  /** Copies a jar, unless it is there already, and returns the copy. */
  public Path keep(Path jar) throws IOException {
    Path kept = isKept(jar) ? jar : home.jarsDirectory().resolve(JobJar.of(jar).sha256() + SUFFIX);
    if (!Files.exists(kept)) {
      Path copy = Files.createTempFile(home.jarsDirectory(), "copy-", ".tmp");
      try {
        Files.copy(jar, copy, StandardCopyOption.REPLACE_EXISTING);
        // Its name comes from the copy: the original may have changed meanwhile.
        kept = home.jarsDirectory().resolve(JobJar.of(copy).sha256() + SUFFIX);
        Files.move(copy, kept, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(copy);
      }
    }
    Files.setLastModifiedTime(kept, FileTime.from(Instant.now()));
    return kept;
  }

  /** Returns whether that path is one of the copies, whose content does not change. */
  public boolean isKept(Path jar) {
    return home.jarsDirectory().equals(jar.getParent()) && Files.isRegularFile(jar);
  }

  /**
   * Deletes the copies that no record of a job or an upgrade names, and that were not used for a
   * day. What cannot be deleted now is deleted later.
   */
  void deleteUnused() {
    try {
      deleteUnusedOrFail();
    } catch (IOException e) {
      LOG.warn("Unused jars in {} were not deleted", home.jarsDirectory(), e);
    }
  }

  private void deleteUnusedOrFail() throws IOException {
    List<String> records = new ArrayList<>();
    for (Path record : files(home.jobsDirectory(), home.jobsElsewhereDirectory())) {
      // Not the locks beside them: to close a file releases this process's lock on it.
      if (SubmittedJobs.isRecord(record)) {
        records.add(Files.readString(record));
      }
    }
    FileTime oldest = FileTime.from(Instant.now().minus(UNUSED));
    for (Path copy : files(home.jarsDirectory())) {
      String name = copy.getFileName().toString();
      if (Files.getLastModifiedTime(copy).compareTo(oldest) < 0
          && records.stream().noneMatch(record -> record.contains(name))) {
        Files.delete(copy);
      }
    }
  }

  private static List<Path> files(Path... directories) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path directory : directories) {
      try (Stream<Path> files = Files.list(directory)) {
        files.filter(Files::isRegularFile).forEach(found::add);
      }
    }
    return found;
  }
}
