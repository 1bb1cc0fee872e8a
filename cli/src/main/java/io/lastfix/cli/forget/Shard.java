package io.lastfix.cli.forget;

import java.io.IOException;
import java.time.Duration;

/** One shard, asked past the routers: it counts orphans too, which no router shows. */
interface Shard extends AutoCloseable {
  /** As the cluster names it. */
  String name();

  /**
   * How many documents of the user it has.
   *
   * @throws IOException if it does not say, with the reason
   */
  long count() throws IOException;

  /** How long it keeps what was moved away from it. */
  Duration orphanCleanupDelay();

  @Override
  void close();
}
