package io.lastfix.gateway.http;

import io.lastfix.gateway.devices.AuthenticatedDevice;
import io.lastfix.gateway.devices.SignedRequestAuthenticator;
import io.lastfix.gateway.signature.SignatureRefusedException;
import org.jspecify.annotations.Nullable;

/**
 * Signatures of RFC 9421: the device is that of the signature's {@code keyid}. What the signature
 * covers stays on the Kafka record, as a proof, and so do the users that its group may speak for.
 *
 * @param devices those that are registered
 * @param problems the refusals
 */
public record SignedAuthenticator(SignedRequestAuthenticator devices, Problems problems)
    implements RequestAuthenticator {
  @Override
  public @Nullable Problem refuseEarly(RequestHead head) {
    try {
      var unused = devices.authenticateHead(signedHead(head), head.received());
      return null;
    } catch (SignatureRefusedException e) {
      return problems.ofSignature(e);
    }
  }

  @Override
  public Authentication authenticate(RequestHead head, byte[] body) {
    try {
      // Again as a whole, because a device may have been revoked while its body arrived.
      AuthenticatedDevice device = devices.authenticate(signedHead(head), body, head.received());
      return new Authentication(device.device().toString(), device.headers());
    } catch (SignatureRefusedException e) {
      throw new RefusedException(problems.ofSignature(e));
    }
  }

  private static io.lastfix.gateway.signature.RequestHead signedHead(RequestHead head) {
    return new io.lastfix.gateway.signature.RequestHead(
        head.method(), head.path(), head.query(), head.headers());
  }
}
