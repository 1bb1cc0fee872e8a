package io.lastfix.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.kit.digest.Sha256;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * HTTP Basic (RFC 7617): the device is the user, unless many devices share a password.
 *
 * @param users the SHA-256 of each user's password
 * @param claim names the device, where a password only opens the route; null: it is the user
 * @param problems the refusals
 */
public record BasicAuthenticator(
    Map<String, byte[]> users, @Nullable RequestAuthenticator claim, Problems problems)
    implements RequestAuthenticator {
  private static final String SCHEME = "basic ";

  /** What an unknown user's password is compared with, so that both take the same time. */
  private static final byte[] NO_HASH = new byte[32];

  @Override
  public @Nullable Problem refuseEarly(RequestHead head) {
    return user(head) == null ? problems.unauthorized() : null;
  }

  @Override
  public Authentication authenticate(RequestHead head, byte[] body) {
    String user = user(head);
    if (user == null) {
      throw new RefusedException(problems.unauthorized());
    }
    return claim == null ? new Authentication(user) : claim.authenticate(head, body);
  }

  /** Returns the user, if the password is right. */
  private @Nullable String user(RequestHead head) {
    String header = head.header("authorization");
    if (header == null || !header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      return null;
    }
    byte[] credentials;
    try {
      credentials = Base64.getDecoder().decode(header.substring(SCHEME.length()).trim());
    } catch (IllegalArgumentException e) {
      return null;
    }
    String text = new String(credentials, UTF_8);
    int colon = text.indexOf(':');
    if (colon < 0) {
      return null;
    }
    String user = text.substring(0, colon);
    byte[] expected = users.get(user);
    boolean isRight =
        MessageDigest.isEqual(
            expected == null ? NO_HASH : expected, Sha256.of(text.substring(colon + 1)));
    return isRight && expected != null ? user : null;
  }
}
