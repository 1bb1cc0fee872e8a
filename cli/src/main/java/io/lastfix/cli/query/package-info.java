/** The commands that ask where devices were. */
@NullMarked
package io.lastfix.cli.query;

import org.jspecify.annotations.NullMarked;
