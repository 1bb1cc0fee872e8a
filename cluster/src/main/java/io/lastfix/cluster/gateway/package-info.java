/** A client of a running gateway. */
@NullMarked
package io.lastfix.cluster.gateway;

import org.jspecify.annotations.NullMarked;
