/** Flink's SQL over the topic of located records: the format {@code lastfix-located}. */
@NullMarked
package io.lastfix.sql;

import org.jspecify.annotations.NullMarked;
