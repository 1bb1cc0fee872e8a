/** The record of submitted jobs, and the checkpoint or savepoint from which one of them resumes. */
@NullMarked
package io.lastfix.stack.submission;

import org.jspecify.annotations.NullMarked;
