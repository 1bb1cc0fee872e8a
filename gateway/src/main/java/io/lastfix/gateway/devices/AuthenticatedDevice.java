package io.lastfix.gateway.devices;

import io.lastfix.gateway.signature.VerifiedSignature;
import io.lastfix.model.SenderHeaders;
import io.lastfix.model.UserPatterns;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The device that has sent a request, because it has the secret. If the content was not checked
 * yet, the caller has to check {@code signature().digest()} before it believes the content.
 *
 * @param keyid names the device and its group
 * @param signature with the digest to check, and the evidence to keep on the Kafka record
 * @param speaksFor the users that the device may send records of besides itself, at this instant
 */
public record AuthenticatedDevice(
    KeyId keyid, VerifiedSignature signature, UserPatterns speaksFor) {
  /** The device. */
  public DeviceId device() {
    return keyid.device();
  }

  /**
   * The headers to keep on the Kafka record: the evidence, and the users that the device speaks
   * for.
   */
  public Map<String, String> headers() {
    Map<String, String> headers = new LinkedHashMap<>(signature.evidence().headers());
    if (!speaksFor.isEmpty()) {
      headers.put(SenderHeaders.SPEAKS_FOR, speaksFor.toString());
    }
    return headers;
  }
}
