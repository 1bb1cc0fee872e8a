/** {@code lastfix partitions}: the collections of History, one for each period. */
@NullMarked
package io.lastfix.cli.partitions;

import org.jspecify.annotations.NullMarked;
