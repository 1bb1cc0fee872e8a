/** The import of a catalogue of cells. */
@NullMarked
package io.lastfix.operate.catalog;

import org.jspecify.annotations.NullMarked;
