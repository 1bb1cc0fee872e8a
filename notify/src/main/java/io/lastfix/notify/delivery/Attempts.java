package io.lastfix.notify.delivery;

import io.lastfix.kit.failure.RootCause;
import io.lastfix.kit.text.PrintableText;
import io.lastfix.notify.config.DeliveryOptions;
import io.lastfix.notify.metrics.NotifyMetrics;
import io.lastfix.notify.receiver.Outcome;
import io.lastfix.notify.receiver.Receiver;
import io.lastfix.notify.undelivered.UndeliveredAlert;
import io.lastfix.notify.undelivered.UndeliveredTopic;
import io.lastfix.rules.alert.AlertCodec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attempts what a {@link Window} allows. All decisions are made on one thread; attempts themselves
 * take none.
 *
 * <p>A failed attempt is repeated with growing pauses until {@link DeliveryOptions#retryFor} after
 * Kafka took the alert, but each alert is tried once. Then the alert is written to the topic of
 * undelivered alerts. It is finished only once Kafka has acknowledged that. So are alerts that only
 * wait for one that fails, once they fill the window: see {@link Window#shorten()}.
 *
 * <p>A receiver is down if attempts of several users' alerts have failed and none succeeded since.
 * It then gets one attempt at a time, with pauses between them. Alerts whose time is over are given
 * up without an attempt: attempts that time out are so few that Kafka would delete alerts unread.
 */
final class Attempts implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Attempts.class);

  /** Until an undelivered alert that Kafka has not taken is written again. */
  private static final Duration UNDELIVERED_PAUSE = Duration.ofSeconds(15);

  /** Fewer users' alerts may fail because of what they are. */
  private static final int DOWN_AFTER = 8;

  /** Of a receiver that is down; those of its alerts may be longer. */
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /** A task that waits for longer shows that the thread hangs. Kafka may block it for a while. */
  private static final Duration HANGS_AFTER = Duration.ofMinutes(5);

  /** Of texts in the log. */
  private static final int MOST_CHARACTERS = 200;

  private final Receiver receiver;
  private final DeliveryOptions options;
  private final Window window;
  private final UndeliveredTopic undelivered;
  private final NotifyMetrics.OfReceiver metrics;
  private final InstantSource clock;
  private final ScheduledThreadPoolExecutor thread;
  private volatile Optional<String> problem = Optional.empty();
  private volatile boolean isBroken;

  /** When the thread was woken that has not run since; 0: it has. */
  private final AtomicLong wokenNanos = new AtomicLong();

  // Of the thread.
  /** The lines that have failed since the last success, {@link #DOWN_AFTER} at most. */
  private final Set<Delivery.Line> failing = new HashSet<>();

  private int running;
  private int failuresWhileDown;
  private Instant attemptAt = Instant.EPOCH;
  private final LogLimit failures = new LogLimit();
  private final LogLimit losses = new LogLimit();
  private @Nullable Future<?> next;

  Attempts(
      Receiver receiver,
      DeliveryOptions options,
      Window window,
      UndeliveredTopic undelivered,
      NotifyMetrics.OfReceiver metrics,
      InstantSource clock) {
    this.receiver = receiver;
    this.options = options;
    this.window = window;
    this.undelivered = undelivered;
    this.metrics = metrics;
    this.clock = clock;
    thread =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread made = new Thread(task, receiver.name() + "-attempts");
              made.setDaemon(true);
              return made;
            });
    thread.setRemoveOnCancelPolicy(true);
  }

  /** The window may allow more. Returns at once. */
  void wake() {
    if (wokenNanos.compareAndSet(0, System.nanoTime())) {
      thread.execute(
          () -> {
            wokenNanos.set(0);
            guarded(this::attemptDue);
          });
    }
  }

  /** Returns why the last attempt failed; empty if it did not. */
  Optional<String> problem() {
    return problem;
  }

  /** Returns whether it makes attempts. */
  boolean isAlive() {
    long woken = wokenNanos.get();
    return !isBroken && (woken == 0 || System.nanoTime() - woken < HANGS_AFTER.toNanos());
  }

  /** The executor is silent about a task that throws, and its alert would stay in flight. */
  private void guarded(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException | Error e) {
      if (!thread.isShutdown()) {
        LOG.error("notify has to be started again: an error in {}", receiver.name(), e);
        isBroken = true;
      }
    }
  }

  private boolean isDown() {
    return failing.size() >= DOWN_AFTER;
  }

  private void attemptDue() {
    Instant now = clock.instant();
    boolean isDown = isDown();
    if (!isDown) {
      shorten();
      window.take(now).forEach(this::attempt);
    } else {
      if (running == 0 && !now.isBefore(attemptAt)) {
        window.takeOne(now).forEach(this::attempt);
      }
      window.takeExpired(now, now.minus(options.retryFor())).forEach(this::giveUpExpired);
    }
    if (next != null) {
      next.cancel(false);
    }
    // An attempt's end leads here, too.
    Optional<Instant> due = isDown && running > 0 ? Optional.empty() : window.nextDue();
    next =
        due.map(at -> isDown && at.isBefore(attemptAt) ? attemptAt : at)
            .map(at -> Math.max(1, Duration.between(clock.instant(), at).toMillis()))
            .<Future<?>>map(
                millis ->
                    thread.schedule(() -> guarded(this::attemptDue), millis, TimeUnit.MILLISECONDS))
            .orElse(null);
  }

  private void attempt(Delivery delivery) {
    if (window.isDropped(delivery)) {
      window.finish(delivery);
      return;
    }
    if (delivery.givenUp() != null) {
      writeUndelivered(delivery, delivery.givenUp());
      return;
    }
    var unused = delivery.begin();
    running++;
    CompletableFuture<Outcome> answer;
    try {
      answer = receiver.deliver(delivery.alert(), delivery.action());
    } catch (RuntimeException | LinkageError e) {
      // Also a class that is missing: the alert would stay in flight, and the executor is silent.
      LOG.error("{} cannot make an attempt", receiver.name(), e);
      answer = CompletableFuture.failedFuture(e);
    }
    var unusedToo =
        answer.whenCompleteAsync(
            (outcome, failure) ->
                guarded(
                    () ->
                        ended(
                            delivery,
                            failure == null
                                ? outcome
                                : new Outcome.Failed(
                                    // It may quote the alert.
                                    PrintableText.of(
                                        "an error of the server: " + failure, MOST_CHARACTERS)))),
            thread);
  }

  private void ended(Delivery delivery, Outcome outcome) {
    running--;
    if (outcome instanceof Outcome.Delivered) {
      metrics.delivered().increment();
      metrics.time().record(Duration.between(delivery.since(), clock.instant()));
      delivers();
      window.finish(delivery);
    } else if (outcome instanceof Outcome.Refused refused) {
      fails(refused.reason());
      // It answers: others may be taken.
      failing.clear();
      giveUp(delivery, refused.reason());
    } else if (outcome instanceof Outcome.Failed failed) {
      fails(failed.reason());
      Instant now = clock.instant();
      hold(now, failed.retryAfter());
      countFailure(delivery, now);
      // If other users' alerts fail, too, the receiver may be away.
      if (failing.size() == 1) {
        delivery.fail();
      }
      Instant last = delivery.since().plus(options.retryFor());
      if (now.isBefore(last)) {
        Instant at = now.plus(pause(delivery.attempts(), failed.retryAfter()));
        window.retry(delivery, at.isBefore(last) ? at : last);
      } else {
        giveUp(delivery, failed.reason());
      }
    }
    attemptDue();
  }

  private void countFailure(Delivery delivery, Instant now) {
    if (!isDown()) {
      failing.add(delivery.line());
      failuresWhileDown = 0;
    }
    // Those that were in flight together count once.
    if (isDown() && !now.isBefore(attemptAt)) {
      Duration pause = options.backoff().after(++failuresWhileDown);
      attemptAt = now.plus(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
    }
  }

  /** The receiver means all requests; without a bound, one answer could stop them for years. */
  private void hold(Instant now, Duration retryAfter) {
    Duration longest = options.backoff().longest();
    if (!retryAfter.isZero()) {
      window.hold(now.plus(retryAfter.compareTo(longest) < 0 ? retryAfter : longest));
    }
  }

  /** Half of the backoff to all of it, which spreads alerts that failed together. */
  private Duration pause(int attemptsSoFar, Duration retryAfter) {
    long millis = options.backoff().after(attemptsSoFar).toMillis();
    Duration pause =
        Duration.ofMillis(millis / 2 + ThreadLocalRandom.current().nextLong(millis / 2 + 1));
    return pause.compareTo(retryAfter) < 0 ? retryAfter : pause;
  }

  private void shorten() {
    List<Delivery> later = window.shorten();
    if (!later.isEmpty() && losses.allows(clock.instant())) {
      LOG.warn(
          "{} does not get {} alerts of one user, which are given up: {}",
          receiver.name(),
          later.size(),
          later.get(0).givenUp());
    }
  }

  private void giveUpExpired(Delivery delivery) {
    String before = delivery.givenUp();
    giveUp(delivery, before == null ? problem.orElse("") : before);
  }

  private void giveUp(Delivery delivery, String reason) {
    delivery.giveUp(reason);
    if (losses.allows(clock.instant())) {
      LOG.warn(
          "{} does not get alert {} of rule {}, which is given up: {}",
          receiver.name(),
          AlertCodec.id(delivery.alert()),
          // Of another program's message, it may have any characters.
          PrintableText.of(delivery.alert().rule(), MOST_CHARACTERS),
          reason);
    }
    writeUndelivered(delivery, reason);
  }

  private void writeUndelivered(Delivery delivery, String reason) {
    if (window.isDropped(delivery)) {
      window.finish(delivery);
      return;
    }
    UndeliveredAlert one =
        new UndeliveredAlert(
            delivery.alert(), delivery.action(), reason, delivery.attempts(), clock.instant());
    var unused =
        undelivered
            .write(one, delivery.part().partition(), delivery.offset())
            .whenCompleteAsync(
                (done, failure) -> guarded(() -> written(delivery, failure)), thread);
  }

  private void written(Delivery delivery, @Nullable Throwable failure) {
    if (failure == null) {
      metrics.undelivered().increment();
      window.finish(delivery);
    } else {
      if (losses.allows(clock.instant())) {
        LOG.warn(
            "Kafka does not take an alert that is given up; trying again: {}",
            RootCause.message(failure));
      }
      window.retry(delivery, clock.instant().plus(UNDELIVERED_PAUSE));
    }
    attemptDue();
  }

  private void delivers() {
    failing.clear();
    if (problem.isPresent()) {
      problem = Optional.empty();
      LOG.info("{} takes alerts again", receiver.name());
    }
  }

  private void fails(String reason) {
    metrics.failed().increment();
    problem = Optional.of(reason);
    if (failures.allows(clock.instant())) {
      LOG.warn("an attempt of {} failed: {}", receiver.name(), reason);
    }
  }

  /** Ends the thread. Answers of attempts in flight are lost. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
