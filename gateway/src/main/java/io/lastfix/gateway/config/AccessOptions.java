package io.lastfix.gateway.config;

import java.util.Map;
import java.util.Objects;

/**
 * Write access, by route.
 *
 * @param modes by the name of the route, which its key has behind {@code access.}
 * @param basicUsers the SHA-256 of each user's password
 */
public record AccessOptions(Map<String, AccessMode> modes, Map<String, byte[]> basicUsers) {
  /** In a key, before the name of its route. */
  public static final String PREFIX = "access.";

  /** Returns which clients may write to the route of that name. */
  public AccessMode of(String route) {
    return Objects.requireNonNull(modes.get(route), () -> "no key " + PREFIX + route);
  }

  /** Whether devices may write over HTTP at all. */
  public boolean isAnyOpen() {
    return modes.values().stream().anyMatch(mode -> mode != AccessMode.CLOSED);
  }

  /** Whether a route takes users and their passwords. */
  public boolean isAnyBasic() {
    return modes.containsValue(AccessMode.BASIC);
  }
}
