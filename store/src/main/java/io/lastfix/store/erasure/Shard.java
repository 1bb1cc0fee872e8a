package io.lastfix.store.erasure;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One shard, queried directly instead of through a router. It counts orphans too, which no router
 * shows.
 */
interface Shard extends AutoCloseable {
  /** The shard rejects the user. */
  final class RefusedException extends IOException {
    RefusedException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** Returns the name that the cluster gives the shard. */
  String name();

  /**
   * Returns the number of the user's documents on this shard.
   *
   * @throws RefusedException if it rejects the user of {@code mongo.uri}: a retry cannot help
   * @throws IOException if it does not answer, with the reason; a retry may help
   */
  long count() throws IOException;

  /** Returns how long the shard keeps the documents of a chunk that moved away. */
  Duration orphanCleanupDelay();

  @Override
  void close();
}
