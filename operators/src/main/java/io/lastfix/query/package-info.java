/** Reading what the jobs stored: where a device was last seen, and where it was over time. */
@NullMarked
package io.lastfix.query;

import org.jspecify.annotations.NullMarked;
