package io.lastfix.gateway.config;

/** How a route finds out which device sent a request. */
public enum AccessMode {
  /** The route takes nothing. */
  CLOSED,
  /** Every client may write; the request names the device. */
  UNSIGNED,
  /** HTTP Basic; the device is the user. */
  BASIC,
  /** Requests are signed (RFC 9421); the device is that of the signature's {@code keyid}. */
  SIGNED
}
