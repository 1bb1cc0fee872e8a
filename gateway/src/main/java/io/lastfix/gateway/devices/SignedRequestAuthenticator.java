package io.lastfix.gateway.devices;

import io.lastfix.gateway.signature.RefusalReason;
import io.lastfix.gateway.signature.RequestHead;
import io.lastfix.gateway.signature.SignatureRefusedException;
import io.lastfix.gateway.signature.SignatureVerifier;
import io.lastfix.gateway.signature.VerifiedSignature;
import io.lastfix.model.UserPatterns;
import java.time.Duration;
import java.time.Instant;

/**
 * Tells which device sent a signed request. The {@code keyid} names all that the secret is derived
 * from. Of the topic's content only the group's valid keys are needed, and the decisions about this
 * device: a device that this gateway has not heard of yet is accepted, since only a gateway or an
 * administrator can have given it its secret.
 *
 * @param devices the devices, as far as this gateway has read of them
 * @param groupKeys the keys that are here
 * @param verifier of signatures
 */
public record SignedRequestAuthenticator(
    Devices devices, GroupKeys groupKeys, SignatureVerifier verifier) {
  /** Returns an authenticator that accepts signatures up to that age. */
  public SignedRequestAuthenticator withMaxAge(Duration age) {
    return new SignedRequestAuthenticator(
        devices, groupKeys, new SignatureVerifier(verifier.policy().withMaxAge(age)));
  }

  /**
   * Checks everything, for a content that is there as a whole.
   *
   * @param received when the head arrived: a body that takes long makes no signature too old
   * @throws SignatureRefusedException if the sender is not known, or may not send
   */
  public AuthenticatedDevice authenticate(RequestHead head, byte[] content, Instant received)
      throws SignatureRefusedException {
    AuthenticatedDevice device = authenticateHead(head, received);
    device.signature().digest().require(content);
    return device;
  }

  /**
   * Checks everything but the content, before it is read.
   *
   * @param received when the head arrived
   * @throws SignatureRefusedException as {@link #authenticate}
   */
  public AuthenticatedDevice authenticateHead(RequestHead head, Instant received)
      throws SignatureRefusedException {
    if (!devices.isReady()) {
      throw new SignatureRefusedException(
          RefusalReason.DECISIONS_UNKNOWN,
          "This gateway does not hear of decisions about devices at present: send the request again later");
    }
    VerifiedSignature signature = verifier.verifyHead(head, this::secret, received);
    KeyId keyid = KeyId.parse(signature.keyid());
    // After the signature, so that only the device itself learns what was decided about it.
    requireAllowed(keyid);
    UserPatterns speaksFor =
        devices.group(keyid.group()).map(Group::speaksFor).orElse(UserPatterns.NONE);
    return new AuthenticatedDevice(keyid, signature, speaksFor);
  }

  private byte[] secret(String text) throws SignatureRefusedException {
    KeyId keyid;
    try {
      keyid = KeyId.parse(text);
    } catch (IllegalArgumentException e) {
      throw new SignatureRefusedException(
          RefusalReason.UNKNOWN_KEY,
          "Signature-Input: the keyid is not of the form that a registration returns: use the keyid of POST /v1/devices");
    }
    boolean valid =
        devices
            .group(keyid.group())
            .filter(group -> group.keys().contains(keyid.groupKey()))
            .isPresent();
    if (!valid) {
      throw new SignatureRefusedException(
          RefusalReason.UNKNOWN_KEY,
          "Signature-Input: the keyid names no group key that is valid here: register again with POST /v1/devices");
    }
    return keyid.secret(groupKey(keyid));
  }

  private byte[] groupKey(KeyId keyid) throws SignatureRefusedException {
    return groupKeys
        .findUsable(keyid.group(), keyid.groupKey())
        .orElseThrow(
            () ->
                new SignatureRefusedException(
                    RefusalReason.GROUP_KEY_ABSENT,
                    "This gateway lacks the key %s of group %s: send the request again later; its administrator copies the key there"
                        .formatted(keyid.groupKey(), keyid.group())));
  }

  private void requireAllowed(KeyId keyid) throws SignatureRefusedException {
    DeviceState state = devices.state(keyid.device());
    if (state.disabled()) {
      throw new SignatureRefusedException(
          RefusalReason.DEVICE_DISABLED,
          "The device is disabled: only an administrator can enable it");
    }
    if (keyid.generation() < state.generation()) {
      throw new SignatureRefusedException(
          RefusalReason.REVOKED_GENERATION,
          "The device's secret was replaced: register again with POST /v1/devices");
    }
  }
}
