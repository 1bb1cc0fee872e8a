/** The messages of the topics that jobs write for others, and the reader of located records. */
@NullMarked
package io.lastfix.jobs.kafka.messages;

import org.jspecify.annotations.NullMarked;
