package io.lastfix.local.program;

import de.flapdoodle.embed.mongo.distribution.Version;
import de.flapdoodle.embed.mongo.transitions.Mongod;
import de.flapdoodle.embed.mongo.transitions.Mongos;
import de.flapdoodle.embed.process.archives.ExtractedFileSet;
import de.flapdoodle.embed.process.config.DownloadConfig;
import de.flapdoodle.embed.process.config.TimeoutConfig;
import de.flapdoodle.embed.process.io.directories.PersistentDir;
import de.flapdoodle.embed.process.io.progress.ProgressListener;
import de.flapdoodle.embed.process.io.progress.Slf4jProgressListener;
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

  /** The default one prints to standard output, among the command's results. */
  private static Start<ProgressListener> listener() {
    return Start.to(ProgressListener.class).initializedWith(new Slf4jProgressListener(LOG));
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
