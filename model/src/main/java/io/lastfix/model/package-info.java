/** The values that pass between Lastfix's modules: small, immutable, validated on construction. */
@NullMarked
package io.lastfix.model;

import org.jspecify.annotations.NullMarked;
