/** {@code lastfix catalog}: imports a catalogue file into its topic. */
@NullMarked
package io.lastfix.cli.catalog;

import org.jspecify.annotations.NullMarked;
