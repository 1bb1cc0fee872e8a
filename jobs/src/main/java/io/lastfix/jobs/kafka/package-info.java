/** How the jobs speak to Kafka: records in and out, topics, where to begin. */
@NullMarked
package io.lastfix.jobs.kafka;

import org.jspecify.annotations.NullMarked;
