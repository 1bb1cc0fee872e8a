/** Messages of devices, as the measurements need them. */
@NullMarked
package io.lastfix.bench.messages;

import org.jspecify.annotations.NullMarked;
