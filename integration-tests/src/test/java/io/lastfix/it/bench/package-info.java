/** What measures; built with {@code -Pbench} alone. */
@NullMarked
package io.lastfix.it.bench;

import org.jspecify.annotations.NullMarked;
