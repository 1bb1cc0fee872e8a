/** Alerts that were not delivered: their topic, and how they are sent again. */
@NullMarked
package io.lastfix.notify.undelivered;

import org.jspecify.annotations.NullMarked;
