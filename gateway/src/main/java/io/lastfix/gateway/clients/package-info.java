/** Clients that exist: OsmAnd, Traccar Client and OwnTracks. */
@NullMarked
package io.lastfix.gateway.clients;

import org.jspecify.annotations.NullMarked;
