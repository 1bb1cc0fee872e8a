/**
 * The cell-tower catalogue: the formats of its files and messages, and the merge of a file's rows
 * into the versions of a tower. Only the function that parses the messages depends on Flink;
 * nothing here depends on Kafka.
 */
@NullMarked
package io.lastfix.catalogs;

import org.jspecify.annotations.NullMarked;
