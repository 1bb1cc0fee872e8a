/** The tables of {@code lastfix sql}. */
@NullMarked
package io.lastfix.operate.sql;

import org.jspecify.annotations.NullMarked;
