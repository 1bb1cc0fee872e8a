/**
 * The identity of devices: groups, devices and their secrets, registration, and the compacted topic
 * {@code lastfix.devices} that all gateways follow. Plain Java and Kafka's clients: no HTTP server.
 */
@NullMarked
package io.lastfix.gateway.devices;

import org.jspecify.annotations.NullMarked;
