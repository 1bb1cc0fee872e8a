/** {@code lastfix sql}: Flink's SQL over the stored and the published records. */
@NullMarked
package io.lastfix.cli.sql;

import org.jspecify.annotations.NullMarked;
