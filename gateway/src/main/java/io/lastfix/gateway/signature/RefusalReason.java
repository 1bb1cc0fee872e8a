package io.lastfix.gateway.signature;

import java.util.Locale;

/** Why a signed request is refused. The set is closed, so refusals can be counted by it. */
public enum RefusalReason {
  /** {@code Signature} or {@code Signature-Input} is absent. */
  NOT_SIGNED,
  /** A signature header is not in the canonical form of RFC 8941. */
  MALFORMED,
  /** A header that may be there once is there several times. */
  REPEATED_HEADER,
  /** A covered value has a line break, another control character or one outside of ASCII. */
  UNPRINTABLE,
  /** More than one signature, or one label twice. */
  SEVERAL_SIGNATURES,
  /** {@code Signature} and {@code Signature-Input} have different labels. */
  LABEL_MISMATCH,
  /** A component that has to be covered is not, or its header is absent. */
  MISSING_COMPONENT,
  /** A component that may not be covered, or one with parameters. */
  UNSUPPORTED_COMPONENT,
  /** A component is covered twice. */
  REPEATED_COMPONENT,
  /** {@code created} or {@code keyid} is absent. */
  MISSING_PARAMETER,
  /** A parameter that is unknown, is there twice, or has the wrong type. */
  UNSUPPORTED_PARAMETER,
  /** {@code alg} is not {@code hmac-sha256}. */
  UNSUPPORTED_ALGORITHM,
  /** {@code created} is too long ago. */
  STALE,
  /** {@code created} is too far ahead. */
  AHEAD,
  /** {@code expires} has passed. */
  EXPIRED,
  /** {@code keyid} names no key that is valid here. */
  UNKNOWN_KEY,
  /** The signature is not that of this request with this key. */
  WRONG_SIGNATURE,
  /** {@code Content-Digest} has an algorithm other than sha-256 and sha-512. */
  UNSUPPORTED_DIGEST,
  /** The content is not what {@code Content-Digest} says. */
  WRONG_DIGEST,
  /** The device's secret was replaced by one of a later generation. */
  REVOKED_GENERATION,
  /** The device is disabled. */
  DEVICE_DISABLED,
  /** The group's key is valid, but not on this gateway, which cannot judge the request. */
  GROUP_KEY_ABSENT,
  /** This gateway does not have the newest decisions about devices. */
  DECISIONS_UNKNOWN;

  /** Whether the signature was not judged, and may be valid. */
  public boolean isTemporary() {
    return this == GROUP_KEY_ABSENT || this == DECISIONS_UNKNOWN;
  }

  /** The reason as a word for messages and metrics, such as {@code wrong-digest}. */
  public String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * The HTTP status: 403 for a disabled device, 503 if this gateway cannot judge the signature,
   * else 401.
   */
  public int status() {
    return switch (this) {
      case DEVICE_DISABLED -> 403;
      case GROUP_KEY_ABSENT, DECISIONS_UNKNOWN -> 503;
      default -> 401;
    };
  }
}
