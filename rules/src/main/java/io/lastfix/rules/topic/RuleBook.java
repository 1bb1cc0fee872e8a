package io.lastfix.rules.topic;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the messages of {@code lastfix.rules} result in: of each key, the one with the greatest
 * version, and of equal ones that with the last offset, which compaction keeps. So neither the
 * order nor repeats of messages change it. It is immutable.
 */
public final class RuleBook {
  /** Without any message. */
  public static final RuleBook EMPTY = new RuleBook(Map.of());

  private final Map<String, StoredMessage> byKey;

  private RuleBook(Map<String, StoredMessage> byKey) {
    this.byKey = byKey;
  }

  /** Returns the book with further messages. */
  public RuleBook with(Collection<StoredMessage> messages) {
    Map<String, StoredMessage> all = new HashMap<>(byKey);
    messages.forEach(message -> all.merge(message.message().key(), message, RuleBook::newer));
    return new RuleBook(all);
  }

  private static StoredMessage newer(StoredMessage one, StoredMessage other) {
    int order = Long.compare(one.message().version(), other.message().version());
    if (order == 0) {
      order = Long.compare(one.offset(), other.offset());
    }
    return order >= 0 ? one : other;
  }

  /** Returns the version that the next message of a key has to have. */
  long nextVersion(String key) {
    StoredMessage newest = byKey.get(key);
    return newest == null ? 1 : newest.message().version() + 1;
  }

  /** Returns the rules that are not deleted, by id. */
  public NavigableMap<String, RuleMessage.OfRule> rules() {
    NavigableMap<String, RuleMessage.OfRule> rules = new TreeMap<>();
    for (StoredMessage stored : byKey.values()) {
      if (stored.message() instanceof RuleMessage.OfRule of && of.content() != null) {
        rules.put(of.id(), of);
      }
    }
    return Collections.unmodifiableNavigableMap(rules);
  }

  /** Returns the fences that are not deleted, by id. */
  public NavigableMap<String, RuleMessage.OfFence> fences() {
    NavigableMap<String, RuleMessage.OfFence> fences = new TreeMap<>();
    for (StoredMessage stored : byKey.values()) {
      if (stored.message() instanceof RuleMessage.OfFence of && of.fence() != null) {
        fences.put(of.id(), of);
      }
    }
    return Collections.unmodifiableNavigableMap(fences);
  }

  /** Returns the pause of a rule; null if this version of it is not paused. */
  public RuleMessage.@Nullable OfPause pause(RuleMessage.OfRule rule) {
    StoredMessage stored = byKey.get("pause/" + rule.id());
    return stored != null
            && stored.message() instanceof RuleMessage.OfPause pause
            && pause.version() == rule.version()
        ? pause
        : null;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RuleBook book && book.byKey.equals(byKey);
  }

  @Override
  public int hashCode() {
    return byKey.hashCode();
  }
}
