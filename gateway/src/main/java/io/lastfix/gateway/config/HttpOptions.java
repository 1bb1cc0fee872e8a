package io.lastfix.gateway.config;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP server.
 *
 * @param address on which it listens
 * @param port 0: any free one
 * @param tls null: plain HTTP
 * @param isLocal whether only programs on this machine may use it: it is on loopback, and no proxy
 *     in front of it
 * @param maxConnections open at once
 * @param idleTimeout after which a connection without a request is closed
 * @param requestTimeout within which a request has to be there whole
 * @param retryAfter the middle of what an answer asks a client to wait
 * @param lameDuck how long requests are taken at a stop, after readiness has ended
 * @param drainTimeout the longest wait for open requests at a stop
 */
public record HttpOptions(
    String address,
    int port,
    @Nullable Tls tls,
    boolean isLocal,
    int maxConnections,
    Duration idleTimeout,
    Duration requestTimeout,
    Duration retryAfter,
    Duration lameDuck,
    Duration drainTimeout) {
  /**
   * The files of TLS.
   *
   * @param certificate the chain, PEM
   * @param key PKCS 8, PEM, without a password
   */
  public record Tls(Path certificate, Path key) {}
}
