/** Located records as they come, from Kafka to browsers. */
@NullMarked
package io.lastfix.console.live;

import org.jspecify.annotations.NullMarked;
