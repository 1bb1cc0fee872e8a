package io.lastfix.notify.config;

import java.net.URI;
import java.time.Duration;

/**
 * An Alertmanager.
 *
 * @param url without {@code /api/v2}
 * @param resolveAfter how long after an attempt the alert counts as over
 */
public record AlertmanagerOptions(URI url, Duration resolveAfter) {
  /** The rest of the URL may have a token. */
  @Override
  public String toString() {
    return url.getHost();
  }
}
