/**
 * The gateway as a client of an MQTT broker: what devices publish becomes messages in Kafka, and is
 * acknowledged to the broker after Kafka's acknowledgement.
 */
@NullMarked
package io.lastfix.gateway.mqtt;

import org.jspecify.annotations.NullMarked;
