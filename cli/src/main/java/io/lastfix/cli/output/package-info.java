/** How commands print sightings: as a table, JSON, CSV and GeoJSON. */
@NullMarked
package io.lastfix.cli.output;

import org.jspecify.annotations.NullMarked;
