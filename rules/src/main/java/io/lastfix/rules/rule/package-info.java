/** Rules: their values, and the reader of their YAML. */
@NullMarked
package io.lastfix.rules.rule;

import org.jspecify.annotations.NullMarked;
