package io.lastfix.gateway.config;

/**
 * What a device may push.
 *
 * @param bytesPerDay in a UTC day, 1 or more
 * @param gateways that a device may reach, 1 or more
 * @param maxDevices that are counted on a day, 1 or more
 */
public record QuotaOptions(int bytesPerDay, int gateways, int maxDevices) {}
