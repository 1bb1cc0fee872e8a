/** The topics of the jobs: made, checked, and published for other programs. */
@NullMarked
package io.lastfix.jobs.kafka.topics;

import org.jspecify.annotations.NullMarked;
