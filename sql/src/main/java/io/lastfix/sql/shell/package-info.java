/** Flink's SQL client with the tables of Lastfix, as a program of its own. */
@NullMarked
package io.lastfix.sql.shell;

import org.jspecify.annotations.NullMarked;
