/** The watermarks of located records. */
@NullMarked
package io.lastfix.analytics.time;

import org.jspecify.annotations.NullMarked;
