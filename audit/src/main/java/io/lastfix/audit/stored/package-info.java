/** What both collections hold, and where a record's document belongs. */
@NullMarked
package io.lastfix.audit.stored;

import org.jspecify.annotations.NullMarked;
