package io.lastfix.gateway.http;

import org.jspecify.annotations.Nullable;

/** Finds out which device a request comes from. Thread-safe, and never blocks. */
public interface RequestAuthenticator {
  /**
   * Looks at the head, before the body is read: what cannot succeed is to cost nothing.
   *
   * @return the problem; null if there is none so far
   */
  default @Nullable Problem refuseEarly(RequestHead head) {
    return null;
  }

  /**
   * Decides.
   *
   * @param body as it came over the wire; not to be changed
   * @throws RefusedException if the request may not be stored
   */
  Authentication authenticate(RequestHead head, byte[] body);
}
