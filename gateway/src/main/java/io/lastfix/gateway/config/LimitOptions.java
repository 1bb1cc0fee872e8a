package io.lastfix.gateway.config;

/**
 * What a request may cost.
 *
 * @param maxBytes of a body, as it comes over the wire
 * @param maxOpenedBytes of a body when decompressed
 * @param maxRatio opened bytes for each byte on the wire
 * @param budgetBytes of all requests that are read or wait for Kafka
 * @param maxRequests open at once, on all connections together
 * @param maxRequestsPerConnection open at once on one connection
 */
public record LimitOptions(
    int maxBytes,
    int maxOpenedBytes,
    int maxRatio,
    int budgetBytes,
    int maxRequests,
    int maxRequestsPerConnection) {}
