/**
 * Submitting, resuming and supervising a job ({@link io.lastfix.cluster.submission.ResumableJob},
 * {@link io.lastfix.cluster.submission.Supervisor}), the record of submitted jobs, and the
 * checkpoint or savepoint from which one of them resumes.
 */
@NullMarked
package io.lastfix.cluster.submission;

import org.jspecify.annotations.NullMarked;
