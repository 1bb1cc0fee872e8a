/**
 * The shapes of OMA MLP: from the elements of a message to a centre and the radius around it that
 * covers the shape, and to GeoJSON. Knows nothing of profiles and records.
 */
@NullMarked
package io.lastfix.parse.shape;

import org.jspecify.annotations.NullMarked;
