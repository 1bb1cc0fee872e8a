/** {@code lastfix replay-rejected} sends rejected messages back to their topics. */
@NullMarked
package io.lastfix.audit.replay;

import org.jspecify.annotations.NullMarked;
