/**
 * The cell-tower catalogue: what its files and messages look like, and how a file's rows become the
 * versions of a tower; and the Flink function that reads the messages, the only class here that
 * knows Flink. Knows nothing of Kafka.
 */
@NullMarked
package io.lastfix.catalogs;

import org.jspecify.annotations.NullMarked;
