/** Numbers that are computed anew: the late hours, and all. */
@NullMarked
package io.lastfix.operate.analysis;

import org.jspecify.annotations.NullMarked;
