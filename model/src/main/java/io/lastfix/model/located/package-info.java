/** The published binary format of located records, and its reader. */
@NullMarked
package io.lastfix.model.located;

import org.jspecify.annotations.NullMarked;
