/** Tests against real servers: mongod, Kafka and Flink as separate processes. */
@NullMarked
package io.lastfix.it;

import org.jspecify.annotations.NullMarked;
