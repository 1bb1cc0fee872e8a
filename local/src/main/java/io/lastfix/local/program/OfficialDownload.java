package io.lastfix.local.program;

import de.flapdoodle.embed.mongo.distribution.Version;
import de.flapdoodle.embed.mongo.transitions.Mongod;
import de.flapdoodle.embed.mongo.transitions.Mongos;
import de.flapdoodle.embed.process.archives.ExtractedFileSet;
import de.flapdoodle.embed.process.config.DownloadConfig;
import de.flapdoodle.embed.process.config.TimeoutConfig;
import de.flapdoodle.embed.process.io.directories.PersistentDir;
import de.flapdoodle.embed.process.io.progress.ProgressListener;
import de.flapdoodle.embed.process.transitions.DownloadPackage;
import de.flapdoodle.reverse.StateID;
import de.flapdoodle.reverse.TransitionWalker;
import de.flapdoodle.reverse.Transitions;
import de.flapdoodle.reverse.transitions.Start;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** MongoDB's official server archive, which holds a mongod and a mongos. */
final class OfficialDownload {
  private static final Logger LOG = LoggerFactory.getLogger(OfficialDownload.class);

  // An unreachable download must fail within seconds; a slow one may take its time.
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(4);
  private static final Duration READ_LIMIT = Duration.ofSeconds(15);

  /**
   * Replaces the library's own listener, which prints to standard output, among the command's
   * results.
   */
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

  private OfficialDownload() {}

  /**
   * A mongod of the newest release that Lastfix is tested with.
   *
   * @param work the target folder
   * @throws RuntimeException of the library, if the download fails
   */
  static Path mongod(Path work) {
    return program(
        Mongod.builder()
            .persistentBaseDir(directory(work))
            .progressListener(listener())
            .downloadPackage(downloadWithShortTimeouts())
            .build()
            .transitions(Version.Main.V7_0));
  }

  /**
   * A mongos of that version.
   *
   * @param work the target folder
   * @throws RuntimeException of the library, if the download fails
   */
  static Path mongos(Path work, MongoVersion version) {
    return program(
        Mongos.builder()
            .persistentBaseDir(directory(work))
            .progressListener(listener())
            .downloadPackage(downloadWithShortTimeouts())
            .build()
            .transitions(de.flapdoodle.embed.process.distribution.Version.of(version.toString())));
  }

  private static Start<PersistentDir> directory(Path work) {
    return Start.to(PersistentDir.class).initializedWith(PersistentDir.of(work));
  }

  private static Start<ProgressListener> listener() {
    return Start.to(ProgressListener.class).initializedWith(new LoggedProgress());
  }

  private static DownloadPackage downloadWithShortTimeouts() {
    return DownloadPackage.withDefaults()
        .withDownloadConfig(
            DownloadConfig.builder()
                .timeoutConfig(
                    TimeoutConfig.builder()
                        .connectionTimeout((int) CONNECT_LIMIT.toMillis())
                        .readTimeout((int) READ_LIMIT.toMillis())
                        .build())
                .build());
  }

  private static Path program(Transitions transitions) {
    try (TransitionWalker.ReachedState<ExtractedFileSet> files =
        transitions.walker().initState(StateID.of(ExtractedFileSet.class))) {
      return files.current().executable();
    }
  }
}
