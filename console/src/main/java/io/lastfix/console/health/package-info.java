/** How the jobs and their servers are, as Flink, Kafka and MongoDB say. */
@NullMarked
package io.lastfix.console.health;

import org.jspecify.annotations.NullMarked;
