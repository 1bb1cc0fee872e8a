/** What an exception says to a user. */
@NullMarked
package io.lastfix.kit.failure;

import org.jspecify.annotations.NullMarked;
