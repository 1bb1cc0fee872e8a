package io.lastfix.jobs.kafka.topics;

import io.lastfix.alert.UpstreamProgress;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.kit.kafka.ConsumerLag.Range;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Up to when the location job has read its topics, by the offsets that its group has committed. It
 * commits after it has written the located records.
 *
 * <p>First, the rules job has to have read the changes of presence that there are at its start:
 * after a restart, those of devices that have come back wait there. Its checkpoint with them shows
 * that.
 *
 * <p>While Kafka does not answer, it stands still. Without such a group it waits for nothing:
 * another program may write located records. Nor does it wait for what this user may not inspect.
 */
public final class LocationProgress implements UpstreamProgress {
  private static final Logger LOG = LoggerFactory.getLogger(LocationProgress.class);

  private static final Duration INTERVAL = Duration.ofSeconds(5);
  private static final Duration READ_LIMIT = Duration.ofSeconds(10);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

  /** A longer lag is logged. */
  private static final Duration LONG_LAG = Duration.ofMinutes(2);

  private final Opener options;
  private final Offsets offsets;
  private final InstantSource clock;
  private final CommittedTime location;
  private final CommittedTime presence;
  private final ScheduledExecutorService executor;
  private volatile long untilMillis = CommittedTime.NEVER;
  private volatile boolean isClosed;

  // Of its thread.
  private final long openedMillis;
  private boolean isPresenceRead;
  private boolean hasFailed;
  private boolean isBehind;

  /**
   * What to look at.
   *
   * @param group of the location job
   * @param topics that it reads
   * @param ownGroup of the rules job
   * @param presenceTopic that it reads
   */
  public record Opener(
      KafkaOptions kafka, String group, List<String> topics, String ownGroup, String presenceTopic)
      implements UpstreamProgress.Opener {
    /** Copies the list. */
    public Opener {
      topics = List.copyOf(topics);
    }

    @Override
    public UpstreamProgress open() {
      UnreadRecords unread = new UnreadRecords(kafka, READ_LIMIT);
      LocationProgress opened =
          new LocationProgress(
              this,
              new OfKafka(KafkaAdmin.connect(kafka)),
              ranges -> hasRecords(unread.find(ranges)),
              InstantSource.system());
      var unused =
          opened.executor.scheduleWithFixedDelay(
              opened::update, 0, INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
      return opened;
    }

    /** A topic that this user may describe, but not read, would else hold event time for ever. */
    static boolean hasRecords(UnreadRecords.Found found) {
      return found.partitions().stream()
          .anyMatch(partition -> !found.forbiddenTopics().contains(partition.topic()));
    }
  }

  /** The offsets of groups and topics. */
  interface Offsets extends AutoCloseable {
    /** Returns the committed offset of each partition of a group. */
    Map<TopicPartition, Long> committed(String group) throws IOException;

    /** Returns what topics have; missing ones are left out. */
    Map<TopicPartition, Range> ranges(List<String> topics) throws IOException;

    @Override
    void close();
  }

  private record OfKafka(Admin admin) implements Offsets {
    @Override
    public Map<TopicPartition, Long> committed(String group) throws IOException {
      return new ConsumerLag(admin).committed(group);
    }

    @Override
    public Map<TopicPartition, Range> ranges(List<String> topics) throws IOException {
      return new ConsumerLag(admin).ranges(topics);
    }

    @Override
    public void close() {
      admin.close(CLOSE_LIMIT);
    }
  }

  /**
   * Has not looked yet.
   *
   * @param offsets are closed with this
   * @param hasRecords as of {@link CommittedTime}
   */
  LocationProgress(
      Opener options,
      Offsets offsets,
      Predicate<Map<TopicPartition, Range>> hasRecords,
      InstantSource clock) {
    this.options = options;
    this.offsets = offsets;
    this.clock = clock;
    location = new CommittedTime(hasRecords);
    presence = new CommittedTime(hasRecords);
    openedMillis = clock.millis();
    executor =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "lastfix-location-progress");
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Looks at the offsets. The executor would not run it again if it threw. */
  void update() {
    try {
      long now = clock.millis();
      if (!isPresenceRead) {
        List<String> topics = List.of(options.presenceTopic());
        isPresenceRead = readUntil(presence, now, options.ownGroup(), topics) > CommittedTime.NEVER;
      }
      long read = readUntil(location, now, options.group(), options.topics());
      untilMillis = isPresenceRead ? read : CommittedTime.NEVER;
      hasFailed = false;
      logLag(now);
    } catch (Throwable e) {
      boolean isForbidden = e.getCause() instanceof AuthorizationException;
      if (isForbidden && isPresenceRead) {
        untilMillis = CommittedTime.ALWAYS;
      }
      if (!hasFailed && !isClosed) {
        hasFailed = true;
        LOG.warn(
            "How far the group {} has read is not known now{}: {}",
            options.group(),
            isForbidden ? ", so users fall silent also while it stands still" : "",
            e.toString());
      }
    }
  }

  private long readUntil(CommittedTime time, long now, String group, List<String> topics)
      throws IOException {
    // In this order: the ends may be later ones than what is committed by now.
    Map<TopicPartition, Long> committed = offsets.committed(group);
    return time.update(now, committed, offsets.ranges(topics));
  }

  private void logLag(long now) {
    long since = Math.max(untilMillis, openedMillis);
    boolean isBehindNow = now - since > LONG_LAG.toMillis();
    if (isBehindNow && !isBehind) {
      LOG.warn(
          "The group {} has not read what its topics had at {}. Until it has, no user falls silent: lastfix status shows its job",
          isPresenceRead ? options.group() : options.ownGroup(),
          Instant.ofEpochMilli(since));
    } else if (isBehind && !isBehindNow) {
      LOG.info("The groups {} and {} have read again", options.group(), options.ownGroup());
    }
    isBehind = isBehindNow;
  }

  @Override
  public long untilMillis() {
    return untilMillis;
  }

  @Override
  public void close() {
    isClosed = true;
    executor.shutdownNow();
    try {
      if (!executor.awaitTermination(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("The thread that looks at the group {} does not end", options.group());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    offsets.close();
  }
}
