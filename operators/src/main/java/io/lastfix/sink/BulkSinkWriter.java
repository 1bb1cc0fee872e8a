package io.lastfix.sink;

import io.lastfix.ledger.AccountedWriter;
import io.lastfix.ledger.LedgerEntry;
import io.lastfix.sink.Bulk.PendingWrite;
import io.lastfix.sink.BulkServer.BulkException;
import io.lastfix.sink.BulkServer.BulkResult;
import io.lastfix.sink.BulkServer.BulkResult.WriteFailure;
import io.lastfix.store.connect.ClosingWait;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.util.IOUtils;
import org.apache.flink.util.function.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects records into bulks, one buffer per collection, and sends several bulks concurrently.
 *
 * <ul>
 *   <li>The writer sends a buffer in three cases: it has enough records or bytes; its oldest record
 *       has waited for the flush interval (by a timer, so no record waits for the next one); or at
 *       a checkpoint.
 *   <li>A record joins an unsent write with the same key. The slower the server, the fewer writes.
 *   <li>{@link #flush} returns when all earlier records are acknowledged, so the writer has no
 *       state. After a failure the source replays, and every write is idempotent.
 *   <li>Writes that are buffered, in flight or waiting for a retry are limited. At the limit {@link
 *       #write} lets the task process other mails until there is room, and thus holds back the
 *       source. A record that joins another write needs no room.
 *   <li>A bulk whose collection must be prepared first is parked, and does not take the place of a
 *       bulk that can be sent. A separate thread prepares collections, one at a time. Parked writes
 *       count as buffered.
 *   <li>A failed write is sent again after a pause, alone or with others that failed with it;
 *       successful writes are not. The job fails if a write cannot succeed, or has not succeeded
 *       within the retry timeout.
 * </ul>
 *
 * <p>Everything but {@link BulkServer#write} and {@link BulkServer#prepare} runs in the task's
 * thread. Those two run in the writer's own threads, and their results return as mails. After
 * close, the writer ignores them.
 */
public final class BulkSinkWriter<T> extends AccountedWriter<T> {
  private static final Logger LOG = LoggerFactory.getLogger(BulkSinkWriter.class);

  private final RecordBatching<T> batching;
  private final BulkServer<T> server;
  private final BulkOptions options;
  private final MailboxExecutor mailbox;
  private final ProcessingTimeService clock;
  private final LongSupplier nanoTime;
  private final long startNanos;
  private final ExecutorService threads;
  private final ExecutorService preparingThread;
  private final BulkSinkMetrics metrics;

  /** By collection, the bulk being filled; the one with the oldest record first. */
  private final Map<String, Bulk<T>> buffers = new LinkedHashMap<>();

  /** Bulks that are full, prepared or due for a retry; they wait for a bulk in flight to return. */
  private final Deque<Bulk<T>> ready = new ArrayDeque<>();

  /** By collection; each contains the parked bulks of its collection. */
  private final Map<String, Preparation<T>> preparations = new HashMap<>();

  /** Writes in {@link #buffers}, in {@link #ready}, or parked before their first attempt. */
  private final WaitingWrites<T> waiting;

  private final List<AutoCloseable> companions = new ArrayList<>();

  private int bulksInFlight;

  /** Bulks that have failed and wait for the moment of their retry; they are not in flight. */
  private int bulksPaused;

  /** Writes that are buffered, ready, parked, in flight, or waiting for a retry. */
  private int writesHeld;

  private long bytesHeld;

  /** For the metric: only the task's thread may access the map. */
  private volatile int collectionsInPreparation;

  private boolean flushing;
  private boolean flushTimerSet;
  private boolean closed;

  /**
   * @param server closed with the writer
   * @param clock for timers and the end-to-end latency; it may be adjusted
   * @param nanoTime {@link System#nanoTime}, which measures all waiting times: an adjusted clock
   *     must neither delay a record nor end a retry
   * @param threads runs the bulks, with at least as many threads as bulks in flight; shut down with
   *     the writer
   * @param preparingThread prepares collections; shut down with the writer
   */
  BulkSinkWriter(
      RecordBatching<T> batching,
      BulkServer<T> server,
      BulkOptions options,
      MailboxExecutor mailbox,
      ProcessingTimeService clock,
      LongSupplier nanoTime,
      ExecutorService threads,
      ExecutorService preparingThread,
      BulkSinkMetrics metrics) {
    this.batching = batching;
    this.waiting = new WaitingWrites<>(batching);
    this.server = server;
    this.options = options;
    this.mailbox = mailbox;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.startNanos = nanoTime.getAsLong();
    this.threads = threads;
    this.preparingThread = preparingThread;
    this.metrics = metrics;
    metrics.watch(
        () -> bulksInFlight, () -> writesHeld, () -> bytesHeld, () -> collectionsInPreparation);
  }

  @Override
  public void write(T record, Context context) throws InterruptedException {
    String collection = batching.collection(record);
    Long flinkTimestamp = context.timestamp();
    long timestamp = flinkTimestamp == null ? PendingWrite.NO_TIMESTAMP : flinkTimestamp;
    // A record that joins a waiting write needs no room.
    if (waiting.coalesce(collection, record, timestamp)) {
      metrics.coalesced.inc();
      return;
    }
    awaitRoom();

    Bulk<T> buffer = buffers.get(collection);
    boolean isNew = buffer == null;
    if (buffer == null) {
      buffer = new Bulk<>(collection, elapsedMillis());
      buffers.put(collection, buffer);
    }
    var write = new PendingWrite<T>(record, batching.maxEncodedBytes(record), timestamp);
    buffer.add(write);
    waiting.add(collection, write);
    writesHeld++;
    bytesHeld += write.bytes();

    boolean isFull = buffer.isFull(options);
    if (isFull) {
      makeReady(buffer);
    }
    if (isNew || isFull) {
      sendWhatCanBeSent();
    }
  }

  private void awaitRoom() throws InterruptedException {
    while (writesHeld >= options.maxBufferedRecords() || bytesHeld >= options.maxBufferedBytes()) {
      if (maySend() && !buffers.isEmpty()) {
        // Many collections, none with a full bulk: sending a small bulk is better than waiting.
        makeReady(oldestBuffer());
        sendWhatCanBeSent();
      } else {
        mailbox.yield();
      }
    }
  }

  /** Sends all writes, and returns when all are acknowledged. */
  @Override
  public void flush(boolean endOfInput) throws InterruptedException {
    flushing = true;
    try {
      sendWhatCanBeSent();
      while (writesHeld > 0) {
        mailbox.yield();
      }
    } finally {
      flushing = false;
    }
  }

  /** The documents that were created or changed, and the inserts of existing ones. */
  @Override
  public LedgerEntry counted() {
    return metrics.counted();
  }

  private Bulk<T> oldestBuffer() {
    return buffers.values().iterator().next();
  }

  private void makeReady(Bulk<T> buffer) {
    buffers.remove(buffer.collection());
    ready.addLast(buffer);
  }

  /** Called whenever a bulk has returned or a bulk may have become ready. */
  private void sendWhatCanBeSent() {
    long now = elapsedMillis();
    while (maySend()) {
      Bulk<T> bulk = nextBulk(now);
      if (bulk == null) {
        break;
      }
      if (bulk.isPrepared() || server.isReady(bulk.collection())) {
        send(bulk, now);
      } else {
        park(bulk);
      }
    }
    setFlushTimer(now);
  }

  private boolean maySend() {
    return batching.needsOrder()
        ? bulksInFlight + bulksPaused == 0
        : bulksInFlight < options.maxBulksInFlight();
  }

  private void park(Bulk<T> bulk) {
    Preparation<T> preparation = preparations.get(bulk.collection());
    boolean isNew = preparation == null;
    if (preparation == null) {
      preparation = new Preparation<>(bulk.collection());
      preparations.put(bulk.collection(), preparation);
      collectionsInPreparation = preparations.size();
    }
    preparation.park(bulk, options);
    if (isNew) {
      prepare(preparation);
    }
  }

  private void prepare(Preparation<T> preparation) {
    preparingThread.execute(
        () -> {
          long begun = elapsedMillis();
          BulkException failure = prepare(preparation.collection());
          mail(() -> receive(preparation, begun, failure), "A collection is prepared");
        });
  }

  /** Runs outside the task's thread; returns null on success. */
  private @Nullable BulkException prepare(String collection) {
    try {
      server.prepare(collection);
      return null;
    } catch (BulkException e) {
      return e;
    } catch (Throwable e) {
      return BulkException.fatal(e.getClass().getSimpleName(), e);
    }
  }

  private void receive(
      Preparation<T> preparation, long begunMillis, @Nullable BulkException failure)
      throws IOException {
    if (closed) {
      return;
    }
    preparation.attempted(begunMillis);
    if (failure == null) {
      preparations.remove(preparation.collection());
      collectionsInPreparation = preparations.size();
      for (Iterator<Bulk<T>> bulks = preparation.lastFirst(); bulks.hasNext(); ) {
        Bulk<T> bulk = bulks.next();
        bulk.prepared();
        ready.addFirst(bulk);
      }
    } else {
      failed(preparation, failure);
    }
    sendWhatCanBeSent();
  }

  private void failed(Preparation<T> preparation, BulkException failure) throws IOException {
    int writes = preparation.writes();
    failedAsAWhole(preparation.attempts(), writes, preparation.collection(), failure);
    long pause =
        pauseBeforeRetry(
            writes,
            preparation.collection(),
            preparation.attempts(),
            preparation.sinceMillis(),
            failure.getMessage());
    runAfter(
        pause,
        () -> {
          metrics.retried.inc(preparation.writes());
          prepare(preparation);
        });
  }

  /**
   * Returns the bulk that has waited longest, so that a busy collection does not delay a quiet one.
   */
  private @Nullable Bulk<T> nextBulk(long now) {
    if (!buffers.isEmpty()) {
      Bulk<T> oldest = oldestBuffer();
      boolean isDue = flushing || now >= dueMillis(oldest);
      if (isDue && (ready.isEmpty() || oldest.sinceMillis() < ready.peek().sinceMillis())) {
        buffers.remove(oldest.collection());
        return oldest;
      }
    }
    return ready.poll();
  }

  private long dueMillis(Bulk<T> buffer) {
    return buffer.sinceMillis() + options.flushInterval().toMillis();
  }

  /**
   * Sets the one timer, for the oldest buffer. A buffer that is already due waits for a bulk to
   * return.
   */
  private void setFlushTimer(long now) {
    if (flushTimerSet || buffers.isEmpty()) {
      return;
    }
    long due = dueMillis(oldestBuffer());
    if (due > now) {
      flushTimerSet = true;
      runAfter(
          due - now,
          () -> {
            flushTimerSet = false;
            sendWhatCanBeSent();
          });
    }
  }

  private void send(Bulk<T> bulk, long now) {
    bulk.sent(now);
    waiting.sent(bulk);
    bulksInFlight++;
    threads.execute(
        () -> {
          Answer answer = writeBulk(bulk);
          mail(() -> receive(bulk, answer), "Answer to a bulk write");
        });
  }

  /** Runs the action in the task's thread. */
  private void mail(ThrowingRunnable<IOException> action, String description) {
    try {
      mailbox.execute(action, description);
    } catch (RejectedExecutionException e) {
      LOG.debug("The task has ended, so this result is dropped: {}", description, e);
    }
  }

  /** The result of sending a bulk; one of the two is null. */
  private record Answer(
      @Nullable BulkResult result, @Nullable BulkException failure, long latencyMillis) {}

  /** Runs outside the task's thread. */
  private Answer writeBulk(Bulk<T> bulk) {
    long begin = System.nanoTime();
    BulkResult result = null;
    BulkException failure = null;
    try {
      result = server.write(bulk.collection(), bulk.records());
    } catch (BulkException e) {
      failure = e;
    } catch (Throwable e) {
      // A bug, or no memory. It must fail the job: an exception in this thread alone would lose the
      // bulk.
      failure = BulkException.fatal(e.getClass().getSimpleName(), e);
    }
    return new Answer(result, failure, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
  }

  private void receive(Bulk<T> bulk, Answer answer) throws IOException {
    if (closed) {
      return;
    }
    bulksInFlight--;
    metrics.bulkAnswered(answer.latencyMillis());
    if (answer.result() != null) {
      partiallyDone(bulk, answer.result());
    } else {
      BulkException failure = answer.failure();
      failedAsAWhole(bulk.attempts(), bulk.size(), bulk.collection(), failure);
      retryLater(bulk, failure.getMessage());
    }
    sendWhatCanBeSent();
  }

  /** Notes the failure of all writes of an attempt; throws it if a retry cannot resolve it. */
  private void failedAsAWhole(int attempt, int writes, String collection, BulkException failure)
      throws SinkFailedException {
    metrics.failed(writes);
    if (!failure.isRetryable()) {
      throw new SinkFailedException(
          "A bulk of %d writes to collection %s failed: %s"
              .formatted(writes, collection, failure.getMessage()),
          failure);
    }
    LOG.warn(
        "Attempt {} of a bulk of {} writes to collection {} failed, and the sink will retry it:"
            + " {}",
        attempt,
        writes,
        collection,
        failure.getMessage());
  }

  private void partiallyDone(Bulk<T> bulk, BulkResult result) throws IOException {
    List<PendingWrite<T>> retryAtOnce = new ArrayList<>();
    List<PendingWrite<T>> retryLater = new ArrayList<>();
    boolean[] hasFailed = new boolean[bulk.size()];
    String reason = "";
    for (WriteFailure failure : result.failures()) {
      PendingWrite<T> write = bulk.writes().get(failure.index());
      hasFailed[failure.index()] = true;
      switch (failure.kind()) {
        case FATAL -> {
          metrics.failed(1);
          throw refused(bulk, failure);
        }
        case RETRY_AT_ONCE -> retryAtOnce.add(write);
        case RETRY_LATER -> retryLater.add(write);
      }
      reason = "code %d: %s".formatted(failure.code(), failure.message());
    }

    metrics.failed(result.failures().size());
    metrics.done(bulk, result, hasFailed, clock.getCurrentProcessingTime());
    release(bulk, hasFailed);
    if (!retryAtOnce.isEmpty()) {
      retryAtOnce(bulk.only(retryAtOnce), reason);
    }
    if (!retryLater.isEmpty()) {
      LOG.warn(
          "{} of {} writes to collection {} failed, and the sink will retry them; the last: {}",
          retryLater.size(),
          bulk.size(),
          bulk.collection(),
          reason);
      retryLater(bulk.only(retryLater), reason);
    }
  }

  private SinkFailedException refused(Bulk<T> bulk, WriteFailure failure) {
    return new SinkFailedException(
        "MongoDB refused a write to collection %s (code %d): %s"
            .formatted(bulk.collection(), failure.code(), failure.message()),
        null);
  }

  /** Frees the room of the acknowledged writes. */
  private void release(Bulk<T> bulk, boolean[] hasFailed) {
    for (int i = 0; i < hasFailed.length; i++) {
      if (!hasFailed[i]) {
        writesHeld--;
        bytesHeld -= bulk.writes().get(i).bytes();
      }
    }
  }

  /** Retries without a pause only once: a race lost twice is not a race. */
  private void retryAtOnce(Bulk<T> bulk, String reason) throws IOException {
    if (bulk.isRetry()) {
      retryLater(bulk, reason);
    } else {
      metrics.retried.inc(bulk.size());
      ready.addFirst(bulk);
    }
  }

  private void retryLater(Bulk<T> bulk, String reason) throws IOException {
    long pause =
        pauseBeforeRetry(
            bulk.size(), bulk.collection(), bulk.attempts(), bulk.firstTriedMillis(), reason);
    bulksPaused++;
    runAfter(
        pause,
        () -> {
          bulksPaused--;
          metrics.retried.inc(bulk.size());
          ready.addFirst(bulk);
          sendWhatCanBeSent();
        });
  }

  /**
   * Returns the pause before the next attempt.
   *
   * @throws SinkFailedException if the retry timeout has passed
   */
  private long pauseBeforeRetry(
      int writes, String collection, int attempts, long triedSinceMillis, String reason)
      throws SinkFailedException {
    Duration tried = Duration.ofMillis(elapsedMillis() - triedSinceMillis);
    if (tried.compareTo(options.retryTimeout()) >= 0) {
      throw new SinkFailedException(
          "Gave up %d writes to collection %s after %d attempts in %d s; the last failed with: %s"
              .formatted(writes, collection, attempts, tried.toSeconds(), reason),
          null);
    }
    return options.pauseMillis(attempts, ThreadLocalRandom.current().nextDouble());
  }

  /** Returns the time since the creation of this writer, on a clock that is never adjusted. */
  private long elapsedMillis() {
    return TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - startNanos);
  }

  /**
   * Runs the action in the task's thread, unless the writer is closed by then. Flink converts the
   * timer's instant to a delay at once, so a later adjustment of the clock does not move it.
   */
  private void runAfter(long delayMillis, Runnable action) {
    // No caller cancels it, and Flink fails the task if it throws: the future is not needed.
    var unused =
        clock.registerTimer(
            clock.getCurrentProcessingTime() + delayMillis,
            time -> {
              if (!closed) {
                action.run();
              }
            });
  }

  /** Lets {@link #close} close something that runs beside the writer, in the order of the calls. */
  void closeToo(AutoCloseable companion) {
    companions.add(companion);
  }

  /**
   * Closes everything without waiting for bulks in flight: unacknowledged records will be replayed.
   * A thread that waits for the server ends when its connection is closed, or with the driver's
   * read timeout.
   */
  @Override
  public void close() {
    closed = true;
    try {
      closeServer();
    } finally {
      IOUtils.closeAllQuietly(companions);
    }
  }

  private void closeServer() {
    threads.shutdownNow();
    preparingThread.shutdownNow();
    // The driver notifies the server on closing, and the server may not answer.
    long end = System.nanoTime() + ClosingWait.LIMIT.toNanos();
    boolean isClosed = ClosingWait.close(server, "close-bulk-server", ClosingWait.LIMIT);
    boolean haveBulksEnded = awaitEnd(threads, end);
    boolean hasPreparingEnded = awaitEnd(preparingThread, end);
    if (!haveBulksEnded || !hasPreparingEnded || !isClosed) {
      LOG.warn("Threads of the sink are still waiting for MongoDB; they end at the read timeout");
    }
  }

  private static boolean awaitEnd(ExecutorService executor, long endNanos) {
    Duration left = Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
    return ClosingWait.awaitTermination(executor, left);
  }

  /**
   * Fails the job: MongoDB rejects writes permanently, or has not accepted them within the retry
   * timeout. The message names the collection and the reason, and contains no contents of
   * documents.
   */
  public static final class SinkFailedException extends IOException {
    SinkFailedException(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
