package io.lastfix.gateway.config;

import java.util.Map;
import java.util.stream.Stream;

/**
 * Write access, by route.
 *
 * @param records {@code /v1/records/PROFILE}
 * @param osmand {@code /osmand}
 * @param owntracks {@code /pub}
 * @param openschema {@code /register} and {@code /metrics/push}
 * @param c2 {@code /c2-protocol/heartbeat} and {@code /c2-protocol/acknowledge}
 * @param basicUsers the SHA-256 of each user's password
 */
public record AccessOptions(
    AccessMode records,
    AccessMode osmand,
    AccessMode owntracks,
    AccessMode openschema,
    AccessMode c2,
    Map<String, byte[]> basicUsers) {
  /** Copies the users. */
  public AccessOptions {
    basicUsers = Map.copyOf(basicUsers);
  }

  /** Whether devices may write over HTTP at all. */
  public boolean isAnyOpen() {
    return modes().anyMatch(mode -> mode != AccessMode.CLOSED);
  }

  /** Whether a route takes users and their passwords. */
  public boolean isAnyBasic() {
    return modes().anyMatch(AccessMode.BASIC::equals);
  }

  private Stream<AccessMode> modes() {
    return Stream.of(records, osmand, owntracks, openschema, c2);
  }
}
