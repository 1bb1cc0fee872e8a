/** The routes below {@code /v1}. */
@NullMarked
package io.lastfix.console.api;

import org.jspecify.annotations.NullMarked;
