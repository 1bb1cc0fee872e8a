/**
 * {@code lastfix audit} proves that both collections hold what the topics say.
 * docs/decisions/audit.md describes what is judged, and how strictly.
 */
@NullMarked
package io.lastfix.audit;

import org.jspecify.annotations.NullMarked;
