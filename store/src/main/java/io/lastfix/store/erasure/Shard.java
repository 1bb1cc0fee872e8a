package io.lastfix.store.erasure;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One shard, asked past the routers: it counts orphans too, which no router shows. */
public interface Shard extends AutoCloseable {
  /** The shard refuses the user. */
  final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    RefusedException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** As the cluster names it. */
  String name();

  /**
   * How many documents of the user it has.
   *
   * @throws RefusedException if it refuses the user of {@code mongo.uri}: a retry cannot help
   * @throws IOException if it does not answer, with the reason; a retry may help
   */
  long count() throws IOException;

  /** How long it keeps what was moved away from it. */
  Duration orphanCleanupDelay();

  @Override
  void close();
}
