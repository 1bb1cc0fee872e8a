/** The messages of the topics that jobs read and write, as bytes. */
@NullMarked
package io.lastfix.jobs.kafka.messages;

import org.jspecify.annotations.NullMarked;
