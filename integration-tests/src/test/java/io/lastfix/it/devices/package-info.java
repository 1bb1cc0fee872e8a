/** Gateways, MQTT brokers, the registry of devices, and their presence. */
@NullMarked
package io.lastfix.it.devices;

import org.jspecify.annotations.NullMarked;
