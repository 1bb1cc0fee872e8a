package io.lastfix.gateway.devices;

import io.lastfix.model.UserPatterns;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A group of devices, which share a group key and an enrolment token. The key itself is not here:
 * see {@link GroupKeys}.
 *
 * @param name such as {@code fleet-a}
 * @param keys names of the valid group keys, 1 or 2; new secrets are derived from the first
 * @param tokens hashes of the valid enrolment tokens
 * @param created when
 * @param speaksFor the users that its devices may send records of, each besides itself
 * @param dropped when earlier group keys ended to be valid, the last {@value #MOST_DROPPED}
 */
public record Group(
    String name,
    List<String> keys,
    List<String> tokens,
    Instant created,
    UserPatterns speaksFor,
    Map<String, Instant> dropped) {
  private static final int MAX_KEYS = 2;
  private static final int MOST_DROPPED = 16;

  /** Checks the names. */
  public Group {
    Names.requireGroup(name);
    keys = List.copyOf(keys);
    tokens = List.copyOf(tokens);
    keys.forEach(Names::requireKey);
    tokens.forEach(Names::requireHash);
    dropped = Map.copyOf(dropped);
    dropped.keySet().forEach(Names::requireKey);
    if (keys.isEmpty() || keys.size() > MAX_KEYS) {
      throw new IllegalArgumentException(
          "group %s: expected 1 or %d keys, found %d".formatted(name, MAX_KEYS, keys.size()));
    }
  }

  /** A group whose devices speak only for themselves. */
  public Group(String name, List<String> keys, List<String> tokens, Instant created) {
    this(name, keys, tokens, created, UserPatterns.NONE, Map.of());
  }

  /** The key that new secrets are derived from. */
  public String currentKey() {
    return keys.get(0);
  }

  /** The name of the key after the current one. */
  public String nextKey() {
    return "k" + (number(currentKey()) + 1);
  }

  /** The number of a key: they are numbered in the order of their use. */
  static int number(String key) {
    return Integer.parseInt(key.substring(1));
  }

  /**
   * Returns when a key that is no longer valid was dropped, or a later one, which was valid longer;
   * null if that is not kept.
   */
  @Nullable Instant droppedAt(String key) {
    return dropped.entrySet().stream()
        .filter(entry -> number(entry.getKey()) >= number(key))
        .map(Map.Entry::getValue)
        .min(Comparator.naturalOrder())
        .orElse(null);
  }

  /** With the next key in front. The one before stays valid, the one before that does not. */
  public Group withNextKey(Instant at) {
    return withKeys(List.of(nextKey(), currentKey()), at);
  }

  /** With the current key only. */
  public Group withCurrentKeyOnly(Instant at) {
    return withKeys(List.of(currentKey()), at);
  }

  private Group withKeys(List<String> valid, Instant at) {
    TreeMap<String, Instant> ended = new TreeMap<>(Comparator.comparingInt(Group::number));
    ended.putAll(dropped);
    keys.stream().filter(key -> !valid.contains(key)).forEach(key -> ended.put(key, at));
    while (ended.size() > MOST_DROPPED) {
      ended.pollFirstEntry();
    }
    return new Group(name, valid, tokens, created, speaksFor, ended);
  }

  /** With this token in place of all others. */
  public Group withToken(String hash) {
    return new Group(name, keys, new ArrayList<>(List.of(hash)), created, speaksFor, dropped);
  }

  /** With these users in place of all others. */
  public Group withSpeaksFor(UserPatterns users) {
    return new Group(name, keys, tokens, created, users, dropped);
  }
}
