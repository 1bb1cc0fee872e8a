/**
 * Signatures of requests by RFC 9421 with HMAC-SHA256, and digests of their content by RFC 9530.
 * Plain Java: no HTTP server, no Kafka.
 */
@NullMarked
package io.lastfix.gateway.signature;

import org.jspecify.annotations.NullMarked;
