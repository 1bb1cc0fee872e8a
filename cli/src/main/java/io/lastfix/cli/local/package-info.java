/** The commands of the local stack: {@code up}, {@code down}, {@code status}, {@code demo}. */
@NullMarked
package io.lastfix.cli.local;

import org.jspecify.annotations.NullMarked;
