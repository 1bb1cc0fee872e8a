package io.lastfix.gateway.devices;

import io.lastfix.model.UserPatterns;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A group of devices, which share a group key and an enrolment token. The key itself is not here:
 * see {@link GroupKeys}.
 *
 * @param name such as {@code fleet-a}
 * @param keys names of the valid group keys, 1 or 2; new secrets are derived from the first
 * @param tokens hashes of the valid enrolment tokens
 * @param created when
 * @param speaksFor the users that its devices may send records of, each besides itself
 */
public record Group(
    String name, List<String> keys, List<String> tokens, Instant created, UserPatterns speaksFor) {
  private static final int MAX_KEYS = 2;

  /** Checks the names. */
  public Group {
    Names.requireGroup(name);
    keys = List.copyOf(keys);
    tokens = List.copyOf(tokens);
    keys.forEach(Names::requireKey);
    tokens.forEach(Names::requireHash);
    if (keys.isEmpty() || keys.size() > MAX_KEYS) {
      throw new IllegalArgumentException(
          "group %s: expected 1 or %d keys, found %d".formatted(name, MAX_KEYS, keys.size()));
    }
  }

  /** A group whose devices speak only for themselves. */
  public Group(String name, List<String> keys, List<String> tokens, Instant created) {
    this(name, keys, tokens, created, UserPatterns.NONE);
  }

  /** The key that new secrets are derived from. */
  public String currentKey() {
    return keys.get(0);
  }

  /** The name of the key after the current one. */
  public String nextKey() {
    return "k" + (Integer.parseInt(currentKey().substring(1)) + 1);
  }

  /** With the next key in front. The one before stays valid, the one before that does not. */
  public Group withNextKey() {
    return new Group(name, List.of(nextKey(), currentKey()), tokens, created, speaksFor);
  }

  /** With the current key only. */
  public Group withCurrentKeyOnly() {
    return new Group(name, List.of(currentKey()), tokens, created, speaksFor);
  }

  /** With this token in place of all others. */
  public Group withToken(String hash) {
    return new Group(name, keys, new ArrayList<>(List.of(hash)), created, speaksFor);
  }

  /** With these users in place of all others. */
  public Group withSpeaksFor(UserPatterns users) {
    return new Group(name, keys, tokens, created, users);
  }
}
