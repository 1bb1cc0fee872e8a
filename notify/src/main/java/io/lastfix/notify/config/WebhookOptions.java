package io.lastfix.notify.config;

import java.net.URI;
import java.util.List;

/**
 * A receiver of webhooks.
 *
 * @param url to which alerts are posted
 * @param secrets that sign a request, each with a signature of its own; one, or two while the
 *     receiver changes from one to the other
 */
public record WebhookOptions(URI url, List<WebhookSecret> secrets) {
  /** The rest of the URL may have a token. */
  @Override
  public String toString() {
    return url.getHost();
  }
}
