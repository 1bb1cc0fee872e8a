/** What comes in is stored, once and at its place, and can be read back. */
@NullMarked
package io.lastfix.it.ingest;

import org.jspecify.annotations.NullMarked;
