/** What the last audit of a job said. */
@NullMarked
package io.lastfix.store.audit;

import org.jspecify.annotations.NullMarked;
