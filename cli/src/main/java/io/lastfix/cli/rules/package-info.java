/** Commands on rules and fences, over the topic {@code lastfix.rules}. */
@NullMarked
package io.lastfix.cli.rules;

import org.jspecify.annotations.NullMarked;
