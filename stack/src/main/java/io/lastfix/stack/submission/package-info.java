/**
 * Submitting, resuming and supervising a job ({@link io.lastfix.stack.submission.ResumableJob},
 * {@link io.lastfix.stack.submission.Supervisor}), the record of submitted jobs, and the checkpoint
 * or savepoint from which one of them resumes.
 */
@NullMarked
package io.lastfix.stack.submission;

import org.jspecify.annotations.NullMarked;
