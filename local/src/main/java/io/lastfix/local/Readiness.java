package io.lastfix.local;

import io.lastfix.cluster.StackException;
import io.lastfix.kit.poll.Poll;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits until a server answers correctly. */
final class Readiness {
  private static final Logger LOG = LoggerFactory.getLogger(Readiness.class);
  private static final Duration POLL = Duration.ofMillis(150);

  /** The factor by which the message suggests to raise the limit on a busy machine. */
  private static final int TIMEOUT_FACTOR = 3;

  private Readiness() {}

  /**
   * Waits.
   *
   * @param isReady queries the server; a failure means "not yet", but a {@link StackException} is
   *     final
   */
  static void await(
      String what, List<ServerProcess> processes, Duration limit, Callable<Boolean> isReady) {
    Poll poll = new Poll(POLL, limit);
    try {
      while (true) {
        processes.forEach(ServerProcess::mustRun);
        Exception lastFailure = null;
        try {
          if (isReady.call()) {
            return;
          }
        } catch (InterruptedException | StackException e) {
          throw e;
        } catch (Exception e) {
          LOG.debug("{} is not ready yet", what, e);
          lastFailure = e;
        }
        if (poll.isOver()) {
          throw timedOut(what, processes, limit, lastFailure);
        }
        poll.pause();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StackException("interrupted while waiting for " + what, e);
    }
  }

  private static StackException timedOut(
      String what, List<ServerProcess> processes, Duration limit, @Nullable Exception lastFailure) {
    String message =
        "%s was not ready within %s s, and is still starting: run lastfix up again, or with --timeout %s; see %s%s"
            .formatted(
                what,
                limit.toSeconds(),
                TIMEOUT_FACTOR * limit.toSeconds(),
                String.join(", ", processes.stream().map(p -> p.logFile().toString()).toList()),
                processes.get(processes.size() - 1).lastLine());
    return lastFailure == null
        ? new StackException(message)
        : new StackException(message + " (" + lastFailure.getMessage() + ")", lastFailure);
  }
}
