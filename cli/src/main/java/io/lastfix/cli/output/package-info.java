/** The output forms of sightings: a table, JSON, CSV and GeoJSON. */
@NullMarked
package io.lastfix.cli.output;

import org.jspecify.annotations.NullMarked;
