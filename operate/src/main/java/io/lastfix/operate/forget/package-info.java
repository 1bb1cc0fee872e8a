/** The erasure of a user from all that the jobs store and hold. */
@NullMarked
package io.lastfix.operate.forget;

import org.jspecify.annotations.NullMarked;
