package io.lastfix.console.health;

import io.lastfix.cluster.Redaction;
import io.lastfix.console.http.LogText;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One part of the health: what one server says. At most one reading of a part runs at a time, and a
 * reading is used for some seconds, however many browsers show it. Thread-safe.
 */
final class HealthPart {
  private static final Logger LOG = LoggerFactory.getLogger(HealthPart.class);

  /** How long a reading that found nothing is used at most: a server may be back at any time. */
  private static final Duration FAILURE_KEPT = Duration.ofSeconds(2);

  /** A reading that runs or has ended. */
  static final class Reading {
    private final CompletableFuture<PartState> result = new CompletableFuture<>();
    private final long beganNanos = System.nanoTime();
    private volatile long endedNanos;

    private boolean isUsable(Duration kept) {
      PartState found = result.getNow(null);
      if (found == null) {
        return true;
      }
      long keptNanos =
          found.isOk() ? kept.toNanos() : Math.min(kept.toNanos(), FAILURE_KEPT.toNanos());
      return System.nanoTime() - endedNanos < keptNanos;
    }

    private void end(PartState found) {
      endedNanos = System.nanoTime();
      result.complete(found);
    }

    /** Returns what was found, or that it takes longer than the limit since it began. */
    PartState await(Duration limit) {
      long left = beganNanos + limit.toNanos() - System.nanoTime();
      try {
        return result.get(Math.max(0, left), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return PartState.unavailable("the console stops");
      } catch (ExecutionException | TimeoutException e) {
        return PartState.unavailable("no answer within %d ms".formatted(limit.toMillis()));
      }
    }
  }

  private final String name;
  private final @Nullable Callable<?> reader;
  private final String absence;
  private final Duration kept;
  private final Executor executor;
  private @Nullable Reading reading;

  /**
   * A part.
   *
   * @param reader returns the fields of the part: a record, a map, or an object of JSON; null:
   *     there is nothing to read
   * @param absence why there is nothing
   * @param kept how long a reading is used; one that found nothing, two seconds at most
   */
  HealthPart(
      String name, @Nullable Callable<?> reader, String absence, Duration kept, Executor executor) {
    this.name = name;
    this.reader = reader;
    this.absence = absence;
    this.kept = kept;
    this.executor = executor;
  }

  String name() {
    return name;
  }

  /** Starts a reading, unless one runs or a recent one is there. */
  synchronized Reading begin() {
    if (reading != null && reading.isUsable(kept)) {
      return reading;
    }
    Reading next = new Reading();
    reading = next;
    executor.execute(() -> next.end(result()));
    return next;
  }

  private PartState result() {
    if (reader == null) {
      return PartState.off(absence);
    }
    try {
      return PartState.ok(reader.call());
    } catch (Exception | LinkageError e) {
      // An error, too, must end the reading: no other begins before that.
      LOG.debug("{} cannot be read: {}", name, LogText.trace(e));
      return PartState.unavailable(Redaction.redact(String.valueOf(e.getMessage())));
    }
  }
}
