/** Clients that exist: OsmAnd, Traccar Client, OwnTracks and OpenSchema's SDK. */
@NullMarked
package io.lastfix.gateway.clients;

import org.jspecify.annotations.NullMarked;
