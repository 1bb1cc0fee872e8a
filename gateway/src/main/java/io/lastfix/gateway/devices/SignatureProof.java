package io.lastfix.gateway.devices;

import io.lastfix.gateway.signature.RefusalReason;
import io.lastfix.gateway.signature.SignatureEvidence;
import io.lastfix.gateway.signature.SignaturePolicy;
import io.lastfix.gateway.signature.SignatureRefusedException;
import io.lastfix.gateway.signature.SignatureVerifier;
import io.lastfix.gateway.signature.SignedMessage;
import io.lastfix.gateway.signature.VerifiedSignature;
import io.lastfix.model.SenderHeaders;
import io.lastfix.model.UserPatterns;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Proves later who sent a Kafka record, from the record alone: its bytes, and the {@link
 * SignatureEvidence} in its headers. It trusts no header that the signature does not cover; the
 * content of such a header has to agree with the signature.
 *
 * <p>Keys that are no longer valid prove what they signed before, if their files are still here. A
 * secret that was replaced, a disabled device's, or one of a dropped group key, proves nothing that
 * a gateway received between that decision and its end, whatever was decided later. The time of
 * receipt is not signed, so an attacker with both a device's secret and access to Kafka can date
 * records back.
 *
 * @param devices the topic's groups and decisions
 * @param groupKeys the keys, also those that are no longer valid
 */
public record SignatureProof(DevicesSnapshot devices, GroupKeys groupKeys) {
  /**
   * The time of receipt is not signed, so a signature's age proves nothing. Over HTTP a gateway
   * accepts an age of minutes, over MQTT one of days, as it was configured then.
   */
  private static final Duration ANY_AGE = Duration.ofDays(36_500);

  /** The greatest devices.signature-tolerance. */
  private static final Duration GREATEST_TOLERANCE = Duration.ofDays(1);

  /** A gateway may hear of a decision a minute late, and clocks differ. */
  private static final Duration GRACE = Duration.ofMinutes(5);

  private static final SignatureVerifier VERIFIER =
      new SignatureVerifier(
          SignaturePolicy.OF_DEVICES
              .withTolerance(GREATEST_TOLERANCE.plus(GRACE))
              .withMaxAge(ANY_AGE));

  private static final String NO_SUCH_KEY = "no-such-key";
  private static final byte[] NOTHING = {};

  private static final Set<String> OF_A_SIGNATURE =
      Set.of("signature", "signature-input", SignatureEvidence.METHOD, SignatureEvidence.PATH);

  /** What a record's signature proves. */
  public enum Kind {
    /** The device has sent these bytes to this profile. */
    PROVED,
    /**
     * The record names a user whose password a gateway has compared. It keeps nothing of that, so
     * only the header says so.
     */
    UNPROVED,
    /** The record has no signature, and names no proved sender. */
    UNSIGNED,
    /** The record was changed, or the device has not sent it. */
    FORGED,
    /** The group's key is not here, so the signature cannot be checked. */
    UNKNOWN_KEY
  }

  /**
   * The verdict on a record.
   *
   * @param reason a stable word, why it is forged or unknown; empty otherwise
   * @param keyid of the device; null unless it is proved
   * @param speaksFor the users that the device's group may speak for now
   */
  public record Verdict(Kind kind, String reason, @Nullable KeyId keyid, UserPatterns speaksFor) {
    private static Verdict of(Kind kind, String reason) {
      return new Verdict(kind, reason, null, UserPatterns.NONE);
    }
  }

  /**
   * Judges a record.
   *
   * @param profile the profile of its topic
   * @param headers the last value of each header
   */
  public Verdict judge(
      String profile, byte @Nullable [] key, byte @Nullable [] value, Map<String, String> headers) {
    boolean isSigned =
        SenderHeaders.SIGNED.equals(headers.get(SenderHeaders.AUTH))
            || headers.keySet().stream().anyMatch(OF_A_SIGNATURE::contains);
    if (!isSigned) {
      boolean isBasic = SenderHeaders.BASIC.equals(headers.get(SenderHeaders.AUTH));
      return Verdict.of(isBasic ? Kind.UNPROVED : Kind.UNSIGNED, "");
    }
    Instant received = received(headers);
    if (received == null) {
      return Verdict.of(Kind.FORGED, "no-time-of-receipt");
    }
    try {
      VerifiedSignature signature =
          VERIFIER.verifyHead(new SignatureEvidence(headers).head(), this::secret, received);
      signature.digest().require(value == null ? NOTHING : value);
      KeyId keyid = KeyId.parse(signature.keyid());
      String contradiction = contradiction(keyid, profile, key, headers, received);
      return contradiction == null
          ? new Verdict(Kind.PROVED, "", keyid, devices.speaksFor(keyid.group()))
          : Verdict.of(Kind.FORGED, contradiction);
    } catch (SignatureRefusedException e) {
      return switch (e.reason()) {
        case GROUP_KEY_ABSENT -> Verdict.of(Kind.UNKNOWN_KEY, e.reason().code());
        default -> Verdict.of(Kind.FORGED, reason(e.reason()));
      };
    }
  }

  /** Returns what contradicts a valid signature; null if nothing does. */
  private @Nullable String contradiction(
      KeyId keyid,
      String profile,
      byte @Nullable [] key,
      Map<String, String> headers,
      Instant received) {
    String device = keyid.device().toString();
    if (!device.equals(headers.get(SenderHeaders.DEVICE))) {
      return "other-device";
    }
    if (key == null || !device.equals(new String(key, StandardCharsets.UTF_8))) {
      return "other-key-of-the-message";
    }
    if (!isSentTo(profile, device, headers)) {
      return "other-profile";
    }
    Instant dropped = devices.droppedAt(keyid.group(), keyid.groupKey());
    if (dropped != null && received.isAfter(dropped.plus(GRACE))) {
      return RefusalReason.UNKNOWN_KEY.code();
    }
    if (devices.isStateReadable(keyid.device())) {
      RefusalReason refusal =
          devices.history(keyid.device()).refusal(keyid.generation(), received, GRACE);
      return refusal == null ? null : reason(refusal);
    }
    return null;
  }

  /**
   * Returns the code of a refusal. The gateway's code for an unknown key also stands for a key that
   * is no longer valid, so it is replaced.
   */
  private static String reason(RefusalReason refusal) {
    return refusal == RefusalReason.UNKNOWN_KEY ? NO_SUCH_KEY : refusal.code();
  }

  /** A signed record cannot be moved to another topic: its path names the profile. */
  private static boolean isSentTo(String profile, String device, Map<String, String> headers) {
    String path = headers.getOrDefault(SignatureEvidence.PATH, "");
    if (SignedMessage.METHOD.equals(headers.get(SignatureEvidence.METHOD))) {
      return path.equals(SignedMessage.pathOfRecords(device, profile));
    }
    try {
      return URLDecoder.decode(path, StandardCharsets.UTF_8).endsWith("/records/" + profile);
    } catch (IllegalArgumentException e) {
      // No percent-encoding, so no gateway has served it.
      return false;
    }
  }

  private static @Nullable Instant received(Map<String, String> headers) {
    try {
      return Instant.ofEpochMilli(Long.parseLong(headers.getOrDefault(SenderHeaders.RECEIVED, "")));
    } catch (NumberFormatException e) {
      // The caller says that it is no time.
      return null;
    }
  }

  private byte[] secret(String text) throws SignatureRefusedException {
    KeyId keyid;
    try {
      keyid = KeyId.parse(text);
    } catch (IllegalArgumentException e) {
      throw unknown("The keyid is not of the form that a registration returns");
    }
    // The topic keeps every group and device, and keys are numbered, so others never existed.
    if (!devices.hasGroup(keyid.group())) {
      throw unknown("There is no such group");
    }
    if (Group.number(keyid.groupKey()) > Group.number(devices.group(keyid.group()).currentKey())) {
      throw unknown("The group has never had such a key");
    }
    if (!devices.isRegistered(keyid.device())) {
      throw unknown("The device has never registered");
    }
    return groupKeys
        .findUsable(keyid.group(), keyid.groupKey())
        .map(keyid::secret)
        .orElseThrow(
            () ->
                new SignatureRefusedException(
                    RefusalReason.GROUP_KEY_ABSENT, "The group's key is not here"));
  }

  private static SignatureRefusedException unknown(String message) {
    return new SignatureRefusedException(RefusalReason.UNKNOWN_KEY, message);
  }
}
