/** Judges located records by rules. */
@NullMarked
package io.lastfix.alert;

import org.jspecify.annotations.NullMarked;
