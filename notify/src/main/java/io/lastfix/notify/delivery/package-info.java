/** Reads alerts for a receiver, and tries until each is delivered or given up. */
@NullMarked
package io.lastfix.notify.delivery;

import org.jspecify.annotations.NullMarked;
