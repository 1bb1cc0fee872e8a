/** Areas of the earth's surface. */
@NullMarked
package io.lastfix.analytics.area;

import org.jspecify.annotations.NullMarked;
