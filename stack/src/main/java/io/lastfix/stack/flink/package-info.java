/** Talking to a Flink cluster: its REST API, and "flink run". */
@NullMarked
package io.lastfix.cli.flink;

import org.jspecify.annotations.NullMarked;
