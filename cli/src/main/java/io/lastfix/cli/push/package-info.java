/** {@code lastfix push}: sends generated or replayed records. */
@NullMarked
package io.lastfix.cli.push;

import org.jspecify.annotations.NullMarked;
