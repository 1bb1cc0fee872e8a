/** The registered devices, as read from their topic. */
@NullMarked
package io.lastfix.operate.devices;

import org.jspecify.annotations.NullMarked;
