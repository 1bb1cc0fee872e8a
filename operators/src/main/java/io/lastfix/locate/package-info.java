/**
 * The join of location records with the cell catalogue: {@link io.lastfix.locate.LocateOperator}
 * adds to each record the position of its cell at the record's timestamp.
 */
@NullMarked
package io.lastfix.locate;

import org.jspecify.annotations.NullMarked;
