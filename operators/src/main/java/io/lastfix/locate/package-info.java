/**
 * The join of location records with the cell catalogue: {@link io.lastfix.locate.LocateOperator}
 * gives each record the position its cell had at the record's own time.
 */
@NullMarked
package io.lastfix.locate;

import org.jspecify.annotations.NullMarked;
