/**
 * Follows {@code lastfix.rules} for the subtasks of a job; writes and reads which of them applies
 * which messages, in {@code lastfix.rules.applied}.
 */
@NullMarked
package io.lastfix.rules.follow;

import org.jspecify.annotations.NullMarked;
