/** What {@code status} and {@code top} say of a running stack. */
@NullMarked
package io.lastfix.operate.status;

import org.jspecify.annotations.NullMarked;
