/** {@code lastfix audit} and {@code lastfix replay-rejected}. */
@NullMarked
package io.lastfix.cli.audit;

import org.jspecify.annotations.NullMarked;
