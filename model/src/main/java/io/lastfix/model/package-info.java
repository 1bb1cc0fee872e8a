/** The value types that pass between Lastfix's operators: small, immutable, checked when made. */
@NullMarked
package io.lastfix.model;

import org.jspecify.annotations.NullMarked;
