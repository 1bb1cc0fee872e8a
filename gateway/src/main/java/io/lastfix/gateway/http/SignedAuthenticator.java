package io.lastfix.gateway.http;

import io.lastfix.gateway.devices.Authentication.Authenticated;
import io.lastfix.gateway.devices.Authentication.Refused;
import io.lastfix.gateway.devices.SignedRequestAuthenticator;
import io.lastfix.gateway.signature.RequestHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Signatures of RFC 9421: the device is that of the signature's {@code keyid}. What the signature
 * covers stays on the Kafka record, as a proof, and so do the users whom its group may speak for.
 */
public final class SignedAuthenticator implements RequestAuthenticator {
  private final SignedRequestAuthenticator devices;
  private final Problems problems;

  /** An authenticator of registered devices. */
  public SignedAuthenticator(SignedRequestAuthenticator devices, Problems problems) {
    this.devices = devices;
    this.problems = problems;
  }

  @Override
  public @Nullable Problem refuseEarly(RequestHead head) {
    return devices.authenticateHead(signedHead(head), head.received()) instanceof Refused refused
        ? problems.ofSignature(refused.reason(), refused.message())
        : null;
  }

  @Override
  public Authentication authenticate(RequestHead head, byte[] body) {
    // Again as a whole, because a device may have been revoked while its body arrived.
    io.lastfix.gateway.devices.Authentication found =
        devices.authenticate(signedHead(head), body, head.received());
    if (found instanceof Refused refused) {
      return new Authentication.Refused(problems.ofSignature(refused.reason(), refused.message()));
    }
    Authenticated device = (Authenticated) found;
    return new Authentication.Accepted(device.device().toString(), device.headers());
  }

  private static io.lastfix.gateway.signature.RequestHead signedHead(RequestHead head) {
    return new io.lastfix.gateway.signature.RequestHead(
        head.method(), head.path(), head.query(), RequestHeaders.of(head.headers()));
  }
}
