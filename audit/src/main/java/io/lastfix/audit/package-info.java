/**
 * {@code lastfix audit} and {@code lastfix replay-rejected}: the proof that both collections hold
 * what the topics say, and the way back for what was rejected. RATIONALE.md says what is judged,
 * and how strictly.
 */
@NullMarked
package io.lastfix.audit;

import org.jspecify.annotations.NullMarked;
