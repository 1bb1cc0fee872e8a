package io.lastfix.local.program;

import io.lastfix.cluster.StackException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds MongoDB's router program: {@code LASTFIX_MONGOS}, else {@code mongos} on the PATH, else a
 * copy in the cache, which is fetched once from the official download. No package registry has one.
 */
public final class MongosBinary {
  /** The environment variable that names the program. */
  public static final String PROGRAM_VARIABLE = "LASTFIX_MONGOS";

  private static final Logger LOG = LoggerFactory.getLogger(MongosBinary.class);

  private final MongoPrograms programs;
  private final Consumer<String> progress;

  /**
   * @param progress receives one line for the user at each step of a download
   */
  public MongosBinary(Map<String, String> environment, Consumer<String> progress) {
    programs = new MongoPrograms(environment);
    this.progress = progress;
  }

  /**
   * A program that starts on this machine and works with servers of that version.
   *
   * @throws StackException if there is none, with the remedy
   */
  public Path locate(MongoVersion server) {
    Optional<Path> installed = programs.installed(PROGRAM_VARIABLE, "mongos");
    installed.ifPresent(program -> requireFits(program, versionOf(program), server));
    return installed.orElseGet(
        () -> programs.cached("mongos-" + server, work -> fetch(work, server)));
  }

  private Path fetch(Path work, MongoVersion server) {
    progress.accept(
        "fetching mongos once into " + programs.cache() + " from the official download");
    try {
      Path program = OfficialDownload.mongos(work, server);
      requireFits(program, versionOf(program), server);
      return program;
    } catch (RuntimeException e) {
      LOG.warn("the official download of mongos failed", e);
      throw new StackException(
          "no mongos, which shards need: none on the PATH, and the official download failed (%s); install MongoDB's mongos of %s or of the release before, or set %s to one"
              .formatted(MongoPrograms.rootMessage(e), server.release(), PROGRAM_VARIABLE),
          e);
    }
  }

  /**
   * The program's version.
   *
   * @throws StackException if it does not start here, or is another program
   */
  static MongoVersion versionOf(Path program) {
    return versionIn(program, MongoPrograms.versionOutput(program, PROGRAM_VARIABLE));
  }

  static MongoVersion versionIn(Path program, String versionOutput) {
    return MongoVersion.of(program, "mongos", "mongos", versionOutput);
  }

  /**
   * Checks that the router may be used with the servers. It may be older by one major release,
   * which is the oldest feature compatibility version that the servers know. It may never be newer,
   * because MongoDB's upgrade order has the routers last.
   */
  static void requireFits(Path program, MongoVersion router, MongoVersion server) {
    if (server.isOfOlderReleaseThan(router) || router.major() < server.major() - 1) {
      throw new StackException(
          "%s is of version %s, which does not work with servers of %s; set %s to one of %s or of the release before"
              .formatted(program, router, server, PROGRAM_VARIABLE, server.release()));
    }
  }
}
