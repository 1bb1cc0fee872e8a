package io.lastfix.local.program;

import io.lastfix.cluster.StackException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The programs of a sharded cluster.
 *
 * @param mongod the servers' program
 * @param server its version
 * @param mongos the routers' program
 * @param router its version; at most one major release behind the servers', and never ahead
 */
public record ShardingPrograms(Path mongod, MongoVersion server, Path mongos, MongoVersion router) {
  /**
   * Finds both programs, and fetches missing ones.
   *
   * @param progress receives one line for the user at each step of a download
   * @throws StackException if there is no suitable program, with the remedy
   */
  public static ShardingPrograms locate(
      Map<String, String> environment, Consumer<String> progress) {
    Path mongod = new MongodBinary(environment, progress).locate();
    MongoVersion server = MongodBinary.versionOf(mongod);
    Path mongos = new MongosBinary(environment, progress).locate(server);
    return new ShardingPrograms(mongod, server, mongos, MongosBinary.versionOf(mongos));
  }

  /**
   * The feature compatibility version that the servers need if the routers are of an older release,
   * which cannot work with a newer one. Empty if any version will do.
   */
  public Optional<String> neededFeatureCompatibilityVersion() {
    return router.isOfOlderReleaseThan(server) ? Optional.of(router.release()) : Optional.empty();
  }
}
