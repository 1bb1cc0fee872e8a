package io.lastfix.local;

import io.lastfix.cluster.StackException;
import io.lastfix.kit.poll.Poll;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits until a server answers correctly. */
final class Readiness {
  private static final Logger LOG = LoggerFactory.getLogger(Readiness.class);
  private static final Duration POLL = Duration.ofMillis(150);

  /** The factor by which the message suggests to raise the limit on a busy machine. */
  private static final int TIMEOUT_FACTOR = 3;

  /** Queries a server. A failure means "not yet", but a {@link StackException} is final. */
  interface Probe {
    boolean isReady() throws Exception;
  }

  private Readiness() {}

  static void await(String what, List<ServerProcess> processes, Duration limit, Probe probe) {
    Poll poll = new Poll(POLL, limit);
    while (true) {
      processes.forEach(ServerProcess::mustRun);
      Exception lastFailure = null;
      try {
        if (probe.isReady()) {
          return;
        }
      } catch (InterruptedException e) {
        throw interrupted(what, e);
      } catch (StackException e) {
        throw e;
      } catch (Exception e) {
        LOG.debug("{} is not ready yet", what, e);
        lastFailure = e;
      }
      pause(poll, what, processes, limit, lastFailure);
    }
  }

  private static StackException timedOut(
      String what, List<ServerProcess> processes, Duration limit, @Nullable Exception lastFailure) {
    String message =
        what
            + " was not ready within "
            + limit.toSeconds()
            + " s, and is still starting: run lastfix up again, or with --timeout "
            + TIMEOUT_FACTOR * limit.toSeconds()
            + "; see "
            + String.join(", ", processes.stream().map(p -> p.logFile().toString()).toList())
            + processes.get(processes.size() - 1).lastLine();
    return lastFailure == null
        ? new StackException(message)
        : new StackException(message + " (" + lastFailure.getMessage() + ")", lastFailure);
  }

  private static void pause(
      Poll poll,
      String what,
      List<ServerProcess> processes,
      Duration limit,
      @Nullable Exception lastFailure) {
    try {
      poll.pause(() -> timedOut(what, processes, limit, lastFailure));
    } catch (InterruptedException e) {
      throw interrupted(what, e);
    }
  }

  private static StackException interrupted(String what, InterruptedException e) {
    Thread.currentThread().interrupt();
    return new StackException("interrupted while waiting for " + what, e);
  }
}
