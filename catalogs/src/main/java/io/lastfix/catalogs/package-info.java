/**
 * The cell-tower catalogue: what its files and messages look like, and how a file's rows become the
 * versions of a tower. Knows nothing of Kafka and Flink.
 */
@NullMarked
package io.lastfix.catalogs;

import org.jspecify.annotations.NullMarked;
