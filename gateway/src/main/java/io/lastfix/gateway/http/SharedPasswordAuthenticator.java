package io.lastfix.gateway.http;

import org.jspecify.annotations.Nullable;

/**
 * HTTP Basic with a password that many devices share: it opens the route, and the device is what
 * the request says.
 */
public final class SharedPasswordAuthenticator implements RequestAuthenticator {
  private final BasicAuthenticator password;
  private final UnsignedAuthenticator claim;

  /** Both have to accept a request; the second one names its device. */
  public SharedPasswordAuthenticator(BasicAuthenticator password, UnsignedAuthenticator claim) {
    this.password = password;
    this.claim = claim;
  }

  @Override
  public @Nullable Problem refuseEarly(RequestHead head) {
    return password.refuseEarly(head);
  }

  @Override
  public Authentication authenticate(RequestHead head, byte[] body) {
    Authentication known = password.authenticate(head, body);
    return known instanceof Authentication.Refused ? known : claim.authenticate(head, body);
  }
}
