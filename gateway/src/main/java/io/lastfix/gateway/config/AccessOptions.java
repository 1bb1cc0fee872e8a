package io.lastfix.gateway.config;

import java.util.Map;

/**
 * Write access, by route.
 *
 * @param records {@code /v1/records/PROFILE}
 * @param osmand {@code /osmand}
 * @param owntracks {@code /pub}
 * @param basicUsers the SHA-256 of each user's password
 */
public record AccessOptions(
    AccessMode records, AccessMode osmand, AccessMode owntracks, Map<String, byte[]> basicUsers) {
  /** Copies the users. */
  public AccessOptions {
    basicUsers = Map.copyOf(basicUsers);
  }
}
