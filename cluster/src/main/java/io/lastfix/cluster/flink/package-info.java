/** Clients of a Flink cluster: its REST API, and {@code flink run}. */
@NullMarked
package io.lastfix.cluster.flink;

import org.jspecify.annotations.NullMarked;
