/** The catalogue's source, and the location records' wait for it. */
@NullMarked
package io.lastfix.jobs.kafka.catalog;

import org.jspecify.annotations.NullMarked;
