/**
 * Readers of plain XML and plain JSON. They handle only the common form of a message; for anything
 * else the decoder falls back to the full parser. {@code parse.fast: false} turns both off, and
 * {@code PlainReadingTest} compares the two ways with the same switch.
 *
 * <p>They save little of the whole: 1 to 2 % of the CPU time of a record of XML, half a percent of
 * one of JSON. Of the decoder's own time it is about half. {@link io.lastfix.parse.fast.PlainXml}
 * and {@link io.lastfix.parse.fast.PlainJson} have the figures.
 */
@NullMarked
package io.lastfix.parse.fast;

import org.jspecify.annotations.NullMarked;
