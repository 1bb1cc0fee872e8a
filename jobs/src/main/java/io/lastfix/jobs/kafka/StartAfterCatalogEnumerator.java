package io.lastfix.jobs.kafka;

import io.lastfix.jobs.config.CatalogTimeout;
import io.lastfix.jobs.kafka.CatalogEnds.End;
import io.lastfix.jobs.kafka.StartAfterCatalogReader.CatalogSignal;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signals the readers of location records when the catalogue, as of their start, is in the join's
 * state. For each partition of the catalogue, a completed checkpoint or the restored one must hold
 * all entries up to the last one at that time.
 *
 * <p>It decides on the coordinator's thread and queries Kafka on the worker's. If the catalogue's
 * end is not reached in time, the job fails. It then continues from its last checkpoint, which
 * holds the entries read so far. If so configured, the readers begin with an incomplete catalogue
 * instead.
 */
final class StartAfterCatalogEnumerator<S extends SourceSplit, C>
    extends ForwardingEnumerator<S, C> {
  private static final Logger LOG = LoggerFactory.getLogger(StartAfterCatalogEnumerator.class);

  /** Milliseconds between checks whether the wait is over. */
  static final long POLL_MILLIS = 250;

  /** Checks between two queries of the end, because an entry may be compacted away. */
  static final int POLLS_BETWEEN_QUERIES = 40;

  private final SplitEnumeratorContext<S> context;
  private final CatalogProgress progress;
  private final UnaryOperator<Map<Integer, End>> ends;
  private final String topic;
  private final CatalogTimeout timeout;
  private final LongSupplier nanoClock;

  /** Only the coordinator's thread replaces it; the worker's reads it, too. */
  private volatile @Nullable CatalogWait wait;

  private final AtomicInteger pollsOfWait = new AtomicInteger();
  private boolean isQueryFailing;

  /**
   * The result of a query on the worker's thread: the wait, the ends, and the entries in state
   * before it.
   */
  record QueriedEnds(CatalogWait of, Map<Integer, End> ends, Map<Integer, Long> inState) {}

  /**
   * Wraps that enumerator.
   *
   * @param progress is closed with this enumerator
   * @param ends finds the catalogue's ends, given an earlier result
   * @param topic the catalogue's topic, for messages
   */
  StartAfterCatalogEnumerator(
      SplitEnumerator<S, C> enumerator,
      SplitEnumeratorContext<S> context,
      CatalogProgress progress,
      UnaryOperator<Map<Integer, End>> ends,
      String topic,
      CatalogTimeout timeout,
      LongSupplier nanoClock) {
    super(enumerator);
    this.context = context;
    this.progress = progress;
    this.ends = ends;
    this.topic = topic;
    this.timeout = timeout;
    this.nanoClock = nanoClock;
  }

  @Override
  public void start() {
    super.start();
    context.callAsync(this::queryEnds, this::decide, POLL_MILLIS, POLL_MILLIS);
  }

  @Override
  public void handleSourceEvent(int subtask, SourceEvent event) {
    if (event != CatalogSignal.AWAITED) {
      super.handleSourceEvent(subtask, event);
      return;
    }
    CatalogWait current = wait;
    if (current == null || current.subtasks().contains(subtask)) {
      // The first reader of this start, or one that waited already, which means that all have
      // restarted.
      current = new CatalogWait(progress, nanoClock.getAsLong());
      pollsOfWait.set(0);
      wait = current;
    }
    current.subtasks().add(subtask);
  }

  /** Flink calls it for each subtask that is reset to a checkpoint, even if it has no splits. */
  @Override
  public void addSplitsBack(List<S> splits, int subtask) {
    CatalogWait current = wait;
    if (current != null) {
      current.subtasks().remove(subtask);
      if (current.subtasks().isEmpty()) {
        wait = null;
      }
    }
    super.addSplitsBack(splits, subtask);
  }

  /** Runs on the worker's thread. */
  private @Nullable QueriedEnds queryEnds() {
    CatalogWait current = wait;
    if (current == null || pollsOfWait.get() % POLLS_BETWEEN_QUERIES != 0) {
      return null;
    }
    Map<Integer, Long> inState = progress.inState();
    return new QueriedEnds(current, ends.apply(current.ends()), inState);
  }

  private void decide(@Nullable QueriedEnds query, @Nullable Throwable failure) {
    CatalogWait current = wait;
    if (current == null) {
      return;
    }
    if (failure != null) {
      if (!isQueryFailing) {
        LOG.warn("Kafka did not return the end of {}; retrying", topic, failure);
      }
      isQueryFailing = true;
    } else if (query == null || query.of() == current) {
      pollsOfWait.incrementAndGet();
      if (query != null) {
        isQueryFailing = false;
        if (current.ends().isEmpty() && !query.ends().isEmpty()) {
          LOG.info("Location records wait until the job has read {} up to {}", topic, query.ends());
        }
        current.until(query.ends(), query.inState());
      }
      if (current.needsNewEnds()) {
        pollsOfWait.set(0);
      }
    }
    long nowNanos = nanoClock.getAsLong();
    if (current.isOver()) {
      LOG.info("The catalogue in {} is loaded: the job reads location records", topic);
      begin(current);
    } else if (current.durationNanos(nowNanos) > timeout.limit().toNanos()) {
      String words =
          "The catalogue in %s was not read to its end within %s: %s."
              .formatted(topic, timeout.limit(), current.describe(nowNanos));
      if (timeout.failsJob()) {
        wait = null;
        // An exception here fails the job, which restarts from its last checkpoint.
        throw new IllegalStateException(
            words
                + " The job has read no location records, because they could get outdated"
                + " coordinates. It continues from its last checkpoint. If this repeats, raise"
                + " source.catalog-timeout, or set source.on-catalog-timeout: continue");
      }
      LOG.warn(
          "{} The job reads location records regardless (source.on-catalog-timeout: continue),"
              + " and may store them without coordinates or with outdated ones",
          words);
      begin(current);
    }
  }

  private void begin(CatalogWait over) {
    wait = null;
    for (int subtask : over.subtasks()) {
      // A reader that has failed meanwhile sends its request again when it restarts.
      if (context.registeredReaders().containsKey(subtask)) {
        context.sendEventToSourceReader(subtask, CatalogSignal.LOADED);
      }
    }
  }

  @Override
  public void close() throws IOException {
    try (progress) {
      super.close();
    }
  }
}
