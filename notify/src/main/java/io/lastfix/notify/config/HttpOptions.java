package io.lastfix.notify.config;

/**
 * The HTTP server of {@code /health}, {@code /ready} and {@code /metrics}.
 *
 * @param address on which it listens
 * @param port 0: any free one
 */
public record HttpOptions(String address, int port) {}
