package io.lastfix.gateway.config;

/** How a route finds out who is speaking. */
public enum AccessMode {
  /** The route takes nothing. */
  CLOSED,
  /** Anybody may write; the device is what the request says it is. */
  UNSIGNED,
  /** HTTP Basic; the device is the user. */
  BASIC,
  /** Requests are signed (RFC 9421); the device is that of the signature's {@code keyid}. */
  SIGNED
}
