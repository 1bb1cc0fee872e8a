package io.lastfix.gateway.http;

import io.lastfix.model.device.HeartbeatMessage;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Believes what a request says about its device. */
public final class UnsignedAuthenticator implements RequestAuthenticator {
  private final BiFunction<RequestHead, byte[], @Nullable String> claim;

  /**
   * An authenticator.
   *
   * @param claim finds the device in the request; null if it names none
   */
  public UnsignedAuthenticator(BiFunction<RequestHead, byte[], @Nullable String> claim) {
    this.claim = claim;
  }

  @Override
  public Authentication authenticate(RequestHead head, byte[] body) {
    String device = claim.apply(head, body);
    return new Authentication.Accepted(device != null && isUsable(device) ? device : null);
  }

  static boolean isUsable(String device) {
    return !device.isEmpty() && device.length() <= HeartbeatMessage.MAX_DEVICE;
  }
}
