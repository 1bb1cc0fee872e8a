package io.lastfix.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;

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
    return new Authentication(device != null && isUsable(device) ? device : null);
  }

  /** Half of a surrogate pair has no UTF-8: in Kafka, all such devices would be one. */
  public static boolean isUsable(String device) {
    return !device.isEmpty()
        && device.length() <= HeartbeatMessage.MAX_DEVICE
        && UTF_8.newEncoder().canEncode(device);
  }
}
