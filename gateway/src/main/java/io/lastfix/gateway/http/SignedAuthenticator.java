package io.lastfix.gateway.http;

import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.gateway.devices.Authentication.Authenticated;
import io.lastfix.gateway.devices.Authentication.Refused;
import io.lastfix.gateway.devices.SignedRequestAuthenticator;
import io.lastfix.gateway.signature.RequestHeaders;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/**
 * Signatures of RFC 9421: the device is that of the signature's {@code keyid}. What the signature
 * covers stays on the Kafka record, as a proof, and so do the users whom its group may speak for.
 */
public final class SignedAuthenticator implements RequestAuthenticator {
  /** The signature is a sixth of a small request's CPU: it is verified once. */
  private static final AttributeKey<Authenticated> OF_HEAD =
      AttributeKey.valueOf(SignedAuthenticator.class, "OF_HEAD");

  private final SignedRequestAuthenticator devices;
  private final Problems problems;

  /** An authenticator of registered devices. */
  public SignedAuthenticator(SignedRequestAuthenticator devices, Problems problems) {
    this.devices = devices;
    this.problems = problems;
  }

  @Override
  public @Nullable Problem refuseEarly(ServiceRequestContext context, RequestHead head) {
    io.lastfix.gateway.devices.Authentication found =
        devices.authenticateHead(signedHead(head), head.received());
    if (found instanceof Refused refused) {
      return problems.ofSignature(refused.reason(), refused.message());
    }
    context.setAttr(OF_HEAD, (Authenticated) found);
    return null;
  }

  @Override
  public Authentication authenticate(ServiceRequestContext context, RequestHead head, byte[] body) {
    Authenticated ofHead = context.attr(OF_HEAD);
    io.lastfix.gateway.devices.Authentication found =
        ofHead == null
            ? devices.authenticate(signedHead(head), body, head.received())
            : devices.authenticateContent(ofHead, body);
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
