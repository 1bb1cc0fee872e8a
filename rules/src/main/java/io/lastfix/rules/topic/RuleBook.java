package io.lastfix.rules.topic;

import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the messages of {@code lastfix.rules} result in: of each key, the one with the greatest
 * version, and of equal ones that with the last offset. So neither the order nor repeats of
 * messages change it. It is immutable.
 *
 * <p>Compaction keeps the last message of a key, whatever its version. {@link RulePublisher} sees
 * to it that the last one is the one that counts.
 */
public final class RuleBook {
  /** Without any message. */
  public static final RuleBook EMPTY = new RuleBook(Map.of());

  private final Map<String, Entry> byKey;

  private RuleBook(Map<String, Entry> byKey) {
    this.byKey = byKey;
  }

  /**
   * The messages of one key.
   *
   * @param counting the one that counts
   * @param last the offset of the last one
   */
  private record Entry(StoredMessage counting, long last) {
    Entry and(Entry other) {
      return new Entry(newer(counting, other.counting), Math.max(last, other.last));
    }

    private static StoredMessage newer(StoredMessage one, StoredMessage other) {
      int order = Long.compare(one.message().version(), other.message().version());
      if (order == 0) {
        order = Long.compare(one.offset(), other.offset());
      }
      return order >= 0 ? one : other;
    }

    /** Of equal books, a program that follows the topic has nothing to compile. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Entry entry && entry.counting.message().equals(counting.message());
    }

    @Override
    public int hashCode() {
      return counting.message().hashCode();
    }
  }

  /** Takes messages one by one, and keeps only those that count. */
  public static final class Builder {
    private final Map<String, Entry> byKey;

    private Builder(Map<String, Entry> byKey) {
      this.byKey = new HashMap<>(byKey);
    }

    /** Adds a message. */
    public void add(StoredMessage message) {
      byKey.merge(message.message().key(), new Entry(message, message.offset()), Entry::and);
    }

    /** Returns the book. */
    public RuleBook build() {
      return new RuleBook(Map.copyOf(byKey));
    }
  }

  /** Returns a builder that begins with this book's messages. */
  public Builder toBuilder() {
    return new Builder(byKey);
  }

  /**
   * Returns the version that the next message of a key has to have.
   *
   * @throws IllegalStateException if it can have none; has the remedy
   */
  long nextVersion(String key) {
    Entry entry = byKey.get(key);
    long version = entry == null ? 0 : entry.counting().message().version();
    if (version == RuleMessage.MAX_VERSION) {
      throw new IllegalStateException(
          "%s has the greatest version, so it cannot change: use another id".formatted(key));
    }
    return version + 1;
  }

  /**
   * Checks that a key may be changed.
   *
   * @throws IllegalStateException if its message cannot be read; has the remedy
   */
  public void requireReadable(String key) {
    Entry entry = byKey.get(key);
    if (entry != null && entry.counting().message() instanceof RuleMessage.Unreadable message) {
      throw new IllegalStateException(
          "this release cannot read %s; delete it, or change it with the newer release that wrote it"
              .formatted(message.words()));
    }
  }

  /** Returns the messages that count but cannot be read, by key. */
  public List<RuleMessage.Unreadable> unreadable() {
    return byKey.values().stream()
        .map(entry -> entry.counting().message())
        .filter(RuleMessage.Unreadable.class::isInstance)
        .map(RuleMessage.Unreadable.class::cast)
        .sorted(Comparator.comparing(RuleMessage.Unreadable::key))
        .toList();
  }

  /** Returns the message of a key that counts, if compaction would keep another one instead. */
  public Optional<RuleMessage> endangered(String key) {
    return Optional.ofNullable(byKey.get(key))
        .filter(entry -> entry.last() != entry.counting().offset())
        .map(entry -> entry.counting().message())
        .filter(message -> !(message instanceof RuleMessage.Unreadable));
  }

  /** Returns the rules that are not deleted, by id. */
  public NavigableMap<String, RuleMessage.OfRule> rules() {
    NavigableMap<String, RuleMessage.OfRule> rules = new TreeMap<>();
    for (Entry entry : byKey.values()) {
      if (entry.counting().message() instanceof RuleMessage.OfRule of && of.content() != null) {
        rules.put(of.id(), of);
      }
    }
    return Collections.unmodifiableNavigableMap(rules);
  }

  /** Returns the fences that are not deleted, by id. */
  public NavigableMap<String, RuleMessage.OfFence> fences() {
    NavigableMap<String, RuleMessage.OfFence> fences = new TreeMap<>();
    for (Entry entry : byKey.values()) {
      if (entry.counting().message() instanceof RuleMessage.OfFence of && of.fence() != null) {
        fences.put(of.id(), of);
      }
    }
    return Collections.unmodifiableNavigableMap(fences);
  }

  /** Returns the message of a fence that counts, also of a deleted one; null if there is none. */
  public RuleMessage.@Nullable OfFence fence(String id) {
    Entry entry = byKey.get("fence/" + id);
    return entry != null && entry.counting().message() instanceof RuleMessage.OfFence of
        ? of
        : null;
  }

  /** Returns the pause of a rule; null if this version of it is not paused. */
  public RuleMessage.@Nullable OfPause pause(RuleMessage.OfRule rule) {
    Entry entry = byKey.get("pause/" + rule.id());
    return entry != null
            && entry.counting().message() instanceof RuleMessage.OfPause pause
            && pause.version() == rule.version()
        ? pause
        : null;
  }

  /**
   * Returns whether a program may write a pause: the rule has that version, and no other pause of
   * it counts.
   */
  public boolean takes(RuleMessage.OfPause pause) {
    Entry entry = byKey.get("rule/" + pause.id());
    if (entry == null
        || !(entry.counting().message() instanceof RuleMessage.OfRule rule)
        || rule.version() != pause.version()) {
      return false;
    }
    RuleMessage.OfPause counting = pause(rule);
    return counting == null || counting.equals(pause);
  }

  /** Returns whether the same messages count; their offsets may differ. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RuleBook book && book.byKey.equals(byKey);
  }

  @Override
  public int hashCode() {
    return byKey.hashCode();
  }
}
