/**
 * Readers of plain XML and plain JSON that save most of the decoding time. They handle only the
 * common form of a message; for anything else the decoder falls back to the full parser.
 */
@NullMarked
package io.lastfix.parse.fast;

import org.jspecify.annotations.NullMarked;
