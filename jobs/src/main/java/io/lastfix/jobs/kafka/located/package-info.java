/**
 * Parts of the source of located records: the event time of its partitions, and what it could not
 * read.
 */
@NullMarked
package io.lastfix.jobs.kafka.located;

import org.jspecify.annotations.NullMarked;
