/** Signs of life of devices, the gateways' ticks, and the devices' quota. */
@NullMarked
package io.lastfix.gateway.heartbeats;

import org.jspecify.annotations.NullMarked;
