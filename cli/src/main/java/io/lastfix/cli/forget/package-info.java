/**
 * {@code lastfix forget} and {@code lastfix pseudonym}: erasing a user from both collections and
 * from what a running job still holds.
 */
@NullMarked
package io.lastfix.cli.forget;

import org.jspecify.annotations.NullMarked;
