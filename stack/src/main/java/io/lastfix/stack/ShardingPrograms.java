package io.lastfix.stack;

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
   * Finds both, and fetches what is missing.
   *
   * @param progress takes one line for the user at each step of a download
   * @throws StackException if there is no such program; it says what to do
   */
  public static ShardingPrograms locate(
      Map<String, String> environment, Consumer<String> progress) {
    Path mongod = new MongodBinary(environment, progress).locate();
    MongoVersion server = MongodBinary.versionOf(mongod);
    Path mongos = new MongosBinary(environment, progress).locate(server);
    return new ShardingPrograms(mongod, server, mongos, MongosBinary.versionOf(mongos));
  }

  /**
   * What the servers' feature compatibility version has to be, where the routers are of an older
   * release: servers at a newer one refuse them. Empty where it may be as it is.
   */
  Optional<String> neededFeatureCompatibilityVersion() {
    return router.isOfOlderReleaseThan(server) ? Optional.of(router.release()) : Optional.empty();
  }
}
