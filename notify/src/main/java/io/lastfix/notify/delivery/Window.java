package io.lastfix.notify.delivery;

import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The unfinished alerts of a receiver. It decides which may be attempted, and how far each
 * partition may be committed. An alert waits for the earlier ones of its user and action. A
 * partition is never committed past an unfinished alert. Thread-safe.
 *
 * <p>Who takes a delivery ends it: by {@link #finish}, or by {@link #retry}.
 */
final class Window {
  private static final Logger LOG = LoggerFactory.getLogger(Window.class);

  private static final Comparator<Delivery> BY_TIME =
      Comparator.comparing((Delivery delivery) -> delivery.dueAt())
          .thenComparingLong(Delivery::number);

  /** Of all messages whose alerts are unfinished. Each receiver has a window. */
  private static final long MOST_BYTES = 4 << 20;

  /** Of the first of a line. A failure that passes within seconds gives nothing up. */
  private static final int MANY_FAILURES = 6;

  private final int capacity;

  /** Of a full window, what a line keeps whose first alert fails. */
  private final int mostOfLine;

  private final int maxInFlight;
  private final Map<TopicPartition, Part> parts = new HashMap<>();
  private final Map<Delivery.Line, Deque<Delivery>> lines = new HashMap<>();

  /** Those that {@link #shorten()} has given up; they are in no line any more. */
  private final Set<Delivery> surplus = new HashSet<>();

  /** The first of each line, and the surplus, unless in flight or of a revoked partition. */
  private final PriorityQueue<Delivery> heads = new PriorityQueue<>(BY_TIME);

  private long numbers;
  private int unfinished;
  private long bytes;
  private int inFlight;
  private boolean isStopped;

  /** Nothing is taken before it. */
  private Instant heldUntil = Instant.EPOCH;

  /** The last time that deliveries were taken. What is read now is due since then. */
  private Instant takenAt = Instant.EPOCH;

  /**
   * An empty one.
   *
   * @param capacity unfinished deliveries after which it is full
   * @param maxInFlight deliveries that are taken at once
   */
  Window(int capacity, int maxInFlight) {
    this.capacity = capacity;
    mostOfLine = Math.max(2, capacity / 10);
    this.maxInFlight = maxInFlight;
  }

  /** What is known of a partition. */
  static final class Part {
    private final int partition;

    /** Unfinished deliveries of each unfinished offset. */
    private final NavigableMap<Long, Integer> open = new TreeMap<>();

    /** Open offsets of an earlier run that were not read again yet. */
    private final NavigableSet<Long> unread = new TreeSet<>();

    private @Nullable OffsetAndMetadata committed;

    /** All below it is read or finished; -1: nothing is known. */
    private long next = -1;

    /** The offset that is read next, if Kafka still has it; -1: nothing is known. */
    private long position = -1;

    private int inFlight;
    private boolean isRevoked;
    private boolean isDropped;

    private Part(int partition, @Nullable OffsetAndMetadata committed) {
      this.partition = partition;
      this.committed = committed;
      if (committed != null) {
        Progress progress = Progress.of(committed);
        next = progress.next();
        position = committed.offset();
        unread.addAll(progress.open());
        unread.forEach(offset -> open.put(offset, 1));
      }
    }

    int partition() {
      return partition;
    }

    /** Returns whether an offset's deliveries are to be made; an earlier run may have made them. */
    private boolean begin(long offset, int deliveries) {
      // What lies below it does not come any more: Kafka has deleted it.
      NavigableSet<Long> gone = unread.headSet(offset, false);
      gone.forEach(open::remove);
      gone.clear();
      if (offset < next && !unread.remove(offset)) {
        return false;
      }
      next = Math.max(next, offset + 1);
      if (deliveries == 0) {
        open.remove(offset);
        return false;
      }
      open.put(offset, deliveries);
      return true;
    }

    private void end(long offset) {
      open.computeIfPresent(offset, (same, left) -> left == 1 ? null : left - 1);
    }

    private @Nullable OffsetAndMetadata toCommit() {
      if (next < 0) {
        return null;
      }
      OffsetAndMetadata now = new Progress(next, new TreeSet<>(open.keySet())).commit();
      OffsetAndMetadata known = committed;
      // A commit that was read has a leader's epoch, too.
      return known != null
              && known.offset() == now.offset()
              && String.valueOf(known.metadata()).equals(now.metadata())
          ? null
          : now;
    }
  }

  /**
   * Begins with a partition.
   *
   * @param committed null: nothing was
   */
  synchronized void assign(TopicPartition partition, @Nullable OffsetAndMetadata committed) {
    parts.put(partition, new Part(partition.partition(), committed));
  }

  /** From now on, nothing of these partitions is taken; what is in flight may still end. */
  synchronized void revoke(Collection<TopicPartition> partitions) {
    partitions.stream().map(parts::get).filter(Objects::nonNull).forEach(it -> it.isRevoked = true);
    heads.removeIf(head -> head.part().isRevoked);
  }

  /** Forgets partitions: another consumer delivers what is unfinished. */
  synchronized void drop(Collection<TopicPartition> partitions) {
    for (TopicPartition partition : partitions) {
      Part part = parts.remove(partition);
      if (part != null) {
        part.isRevoked = true;
        part.isDropped = true;
      }
    }
    heads.removeIf(Window::isOfDropped);
    surplus.stream().filter(Window::isOfDropped).forEach(this::forget);
    surplus.removeIf(Window::isOfDropped);
    Iterator<Deque<Delivery>> all = lines.values().iterator();
    while (all.hasNext()) {
      Deque<Delivery> line = all.next();
      Delivery first = line.element();
      line.stream().filter(Window::isOfDropped).forEach(this::forget);
      line.removeIf(Window::isOfDropped);
      if (line.isEmpty()) {
        all.remove();
      } else if (isOfDropped(first)) {
        addHead(line.element());
      }
    }
  }

  /** Forgets all partitions. */
  synchronized void dropAll() {
    drop(List.copyOf(parts.keySet()));
  }

  private static boolean isOfDropped(Delivery delivery) {
    return delivery.part().isDropped;
  }

  private void addHead(Delivery delivery) {
    if (!delivery.part().isRevoked) {
      heads.add(delivery);
    }
  }

  private void forget(Delivery delivery) {
    unfinished--;
    bytes -= delivery.bytes();
  }

  /**
   * Returns the part of a message that was read; null if it is another consumer's.
   *
   * <p>Offsets only grow, unless the topic was created again or a broker has lost its end. Then the
   * messages are other ones than those that had these offsets before. What the former ones have
   * unfinished is still delivered, but no commit has it.
   */
  private @Nullable Part read(TopicPartition partition, long offset) {
    Part part = parts.get(partition);
    if (part == null) {
      return null;
    }
    if (offset < part.position) {
      LOG.warn(
          "{} begins again at offset {}, before {}: it was created again, or has lost its end",
          partition,
          offset,
          part.position);
      part = new Part(partition.partition(), null);
      parts.put(partition, part);
    } else if (part.position >= 0 && offset > part.position) {
      LOG.warn(
          "{} messages of {} were deleted before they were read: lengthen the topic's retention, or"
              + " shorten delivery.retry-for",
          offset - part.position,
          partition);
    }
    part.position = offset + 1;
    return part;
  }

  /** Takes a message that has no delivery. */
  synchronized void skip(TopicPartition partition, long offset) {
    Part part = read(partition, offset);
    if (part != null) {
      var unused = part.begin(offset, 0);
    }
  }

  /**
   * Takes an alert.
   *
   * @param since when Kafka took it
   * @param size of its message, in bytes
   * @param actions of the receiver, one or more
   */
  synchronized void add(
      TopicPartition partition,
      long offset,
      Instant since,
      int size,
      Alert alert,
      List<Action> actions) {
    Part part = read(partition, offset);
    if (part == null || !part.begin(offset, actions.size())) {
      return;
    }
    for (Action action : actions) {
      Delivery delivery = new Delivery(part, offset, numbers++, since, size, alert, action);
      // Not since ever: while many are read, an alert that is due again would come last.
      delivery.dueAt(takenAt);
      Deque<Delivery> line = lines.computeIfAbsent(delivery.line(), absent -> new ArrayDeque<>());
      if (line.isEmpty()) {
        addHead(delivery);
      }
      line.add(delivery);
      unfinished++;
      bytes += size;
    }
  }

  /** Takes the deliveries that may be attempted now, which then are in flight. */
  synchronized List<Delivery> take(Instant now) {
    List<Delivery> taken = new ArrayList<>();
    takenAt = now;
    Delivery head = heads.peek();
    while (head != null && mayTake() && !now.isBefore(heldUntil) && !head.dueAt().isAfter(now)) {
      taken.add(begin(head));
      head = heads.peek();
    }
    return taken;
  }

  /**
   * As {@link #take}, but one only. Alerts that were not attempted yet come first: for a receiver
   * that refuses some alerts, one of them may be the first that it takes.
   */
  synchronized List<Delivery> takeOne(Instant now) {
    takenAt = now;
    return mayTake() && !now.isBefore(heldUntil)
        ? heads.stream()
            .filter(head -> !head.dueAt().isAfter(now))
            .min(Comparator.comparingInt(Delivery::attempts).thenComparing(BY_TIME))
            .map(this::begin)
            .stream()
            .toList()
        : List.of();
  }

  /**
   * Takes deliveries to give them up, also if it is held: expired ones, and those that {@link
   * #shorten()} has given up.
   *
   * @param oldest of alerts that Kafka took until then
   */
  synchronized List<Delivery> takeExpired(Instant now, Instant oldest) {
    return heads.stream()
        .filter(head -> head.givenUp() != null || !head.since().isAfter(oldest))
        .filter(head -> !head.dueAt().isAfter(now))
        .limit(isStopped ? 0 : maxInFlight - inFlight)
        .toList()
        .stream()
        .map(this::begin)
        .toList();
  }

  private Delivery begin(Delivery head) {
    heads.remove(head);
    inFlight++;
    head.part().inFlight++;
    return head;
  }

  private boolean mayTake() {
    return !isStopped && inFlight < maxInFlight;
  }

  /** Returns when the next one may be taken; empty if another one has to end first. */
  synchronized Optional<Instant> nextDue() {
    return mayTake()
        ? Optional.ofNullable(heads.peek())
            .map(Delivery::dueAt)
            .map(at -> at.isBefore(heldUntil) ? heldUntil : at)
        : Optional.empty();
  }

  /** Until then, nothing is taken. */
  synchronized void hold(Instant until) {
    if (until.isAfter(heldUntil)) {
      heldUntil = until;
    }
  }

  /** Returns whether another consumer makes a delivery now. */
  synchronized boolean isDropped(Delivery delivery) {
    return isOfDropped(delivery);
  }

  /** Ends a delivery for good. */
  synchronized void finish(Delivery delivery) {
    end(delivery);
    if (isOfDropped(delivery)) {
      return;
    }
    forget(delivery);
    delivery.part().end(delivery.offset());
    if (surplus.remove(delivery)) {
      return;
    }
    Deque<Delivery> line = lines.get(delivery.line());
    var unused = line.remove();
    if (line.isEmpty()) {
      lines.remove(delivery.line());
    } else {
      addHead(line.element());
    }
  }

  /** Ends an attempt; the delivery may be taken again from that time on. */
  synchronized void retry(Delivery delivery, Instant at) {
    end(delivery);
    delivery.dueAt(at);
    addHead(delivery);
  }

  private void end(Delivery delivery) {
    inFlight--;
    delivery.part().inFlight--;
  }

  /** From now on, nothing is taken. */
  synchronized void stop() {
    isStopped = true;
  }

  synchronized boolean isFull() {
    return unfinished >= capacity || bytes >= MOST_BYTES;
  }

  /**
   * Gives up the later alerts of one line, if the window is full and the line's first alert fails
   * again and again. They only wait for that one, and would keep other users' alerts from being
   * read. They can then be taken, to write them to the topic of undelivered alerts.
   *
   * @return those alerts; empty if the window is not full, or if no line has so many
   */
  synchronized List<Delivery> shorten() {
    if (bytes >= MOST_BYTES) {
      Optional<Deque<Delivery>> largest =
          lines.values().stream().max(Comparator.comparingLong(Window::bytes));
      if (largest.isPresent() && fails(largest.get()) && largest.get().size() > 1) {
        return giveUp(largest.get(), 1);
      }
    }
    if (unfinished >= capacity) {
      Optional<Deque<Delivery>> longest =
          lines.values().stream().filter(Window::fails).max(Comparator.comparingInt(Deque::size));
      if (longest.isPresent() && longest.get().size() > mostOfLine) {
        return giveUp(longest.get(), mostOfLine);
      }
    }
    return List.of();
  }

  private static long bytes(Deque<Delivery> line) {
    return line.stream().mapToLong(Delivery::bytes).sum();
  }

  private static boolean fails(Deque<Delivery> line) {
    return line.element().failures() >= MANY_FAILURES && line.element().givenUp() == null;
  }

  private List<Delivery> giveUp(Deque<Delivery> line, int kept) {
    String reason = "alerts of this user waited for an earlier one: " + (line.size() - 1);
    Deque<Delivery> later = new ArrayDeque<>();
    while (line.size() > kept) {
      later.addFirst(line.removeLast());
    }
    for (Delivery delivery : later) {
      delivery.giveUp(reason);
      surplus.add(delivery);
      addHead(delivery);
    }
    return List.copyOf(later);
  }

  synchronized int unfinished() {
    return unfinished;
  }

  synchronized int inFlight() {
    return inFlight;
  }

  /** Returns how many are in flight of these partitions. */
  synchronized int inFlight(Collection<TopicPartition> partitions) {
    return partitions.stream()
        .map(parts::get)
        .filter(Objects::nonNull)
        .mapToInt(part -> part.inFlight)
        .sum();
  }

  /** Returns when Kafka took the oldest unfinished alert. */
  synchronized Optional<Instant> oldest() {
    return Stream.concat(lines.values().stream().flatMap(Collection::stream), surplus.stream())
        .map(Delivery::since)
        .min(Comparator.naturalOrder());
  }

  /** Returns what to commit of those partitions that have made progress. */
  synchronized Map<TopicPartition, OffsetAndMetadata> toCommit() {
    Map<TopicPartition, OffsetAndMetadata> all = new HashMap<>();
    parts.forEach(
        (partition, part) -> {
          OffsetAndMetadata one = part.toCommit();
          if (one != null) {
            all.put(partition, one);
          }
        });
    return all;
  }

  /** Kafka has taken a commit. */
  synchronized void committed(Map<TopicPartition, OffsetAndMetadata> commit) {
    commit.forEach(
        (partition, one) -> {
          Part part = parts.get(partition);
          if (part != null) {
            part.committed = one;
          }
        });
  }
}
