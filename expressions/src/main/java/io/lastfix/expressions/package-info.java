/**
 * Conditions of rules, in the <a href="https://cel.dev">Common Expression Language</a>. No other
 * package uses CEL's library.
 */
@NullMarked
package io.lastfix.expressions;

import org.jspecify.annotations.NullMarked;
