package io.lastfix.gateway.devices;

import io.lastfix.gateway.signature.RefusalReason;
import io.lastfix.gateway.signature.VerifiedSignature;
import io.lastfix.model.SenderHeaders;
import io.lastfix.model.UserPatterns;
import java.util.LinkedHashMap;
import java.util.Map;

/** The sender of a request, or the reason why it is unknown. */
public sealed interface Authentication {
  /**
   * The device that has the secret. If the content was not checked yet, the caller has to check
   * {@code signature().digest()} before it believes the content.
   *
   * @param keyid names the device and its group
   * @param signature with the digest to check, and the evidence to keep on the Kafka record
   * @param speaksFor the users that the device may send records of besides itself, at this instant
   */
  record Authenticated(KeyId keyid, VerifiedSignature signature, UserPatterns speaksFor)
      implements Authentication {
    /** The device. */
    public DeviceId device() {
      return keyid.device();
    }

    /** The headers to keep on the Kafka record: the evidence, and whom the device speaks for. */
    public Map<String, String> headers() {
      Map<String, String> headers = new LinkedHashMap<>(signature.evidence().headers());
      if (!speaksFor.isEmpty()) {
        headers.put(SenderHeaders.SPEAKS_FOR, speaksFor.toString());
      }
      return headers;
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
