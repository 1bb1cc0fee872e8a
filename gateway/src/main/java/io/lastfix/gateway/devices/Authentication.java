package io.lastfix.gateway.devices;

import io.lastfix.gateway.signature.RefusalReason;
import io.lastfix.gateway.signature.VerifiedSignature;

/** The sender of a request, or the reason why it is unknown. */
public sealed interface Authentication {
  /**
   * The device that has the secret. If the content was not checked yet, the caller has to check
   * {@code signature().digest()} before it believes the content.
   *
   * @param keyid names the device and its group
   * @param signature with the digest to check, and the headers to keep on the Kafka record
   */
  record Authenticated(KeyId keyid, VerifiedSignature signature) implements Authentication {
    /** The device. */
    public DeviceId device() {
      return keyid.device();
    }

    /** Its group. */
    public String group() {
      return keyid.group();
    }
  }

  /**
   * The request is refused.
   *
   * @param reason why; has the HTTP status
   * @param message says what to do; holds no secret
   */
  record Refused(RefusalReason reason, String message) implements Authentication {}
}
