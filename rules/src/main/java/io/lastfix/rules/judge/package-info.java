/** Judges the records of users by rules, without Flink. */
@NullMarked
package io.lastfix.rules.judge;

import org.jspecify.annotations.NullMarked;
