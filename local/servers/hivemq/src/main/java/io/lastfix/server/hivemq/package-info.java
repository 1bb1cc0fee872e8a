/** The MQTT broker of the local stack where Mosquitto is not installed. */
@NullMarked
package io.lastfix.server.hivemq;

import org.jspecify.annotations.NullMarked;
