/** The devices' door: takes records over HTTP and MQTT, and writes them to Kafka. */
@NullMarked
package io.lastfix.gateway;

import org.jspecify.annotations.NullMarked;
