/**
 * Java code that is generated from checked conditions, and compiled by Janino. It has the outcomes
 * of CEL's runtime, and allocates nothing for numbers. No other package uses Janino.
 */
@NullMarked
package io.lastfix.expressions.generate;

import org.jspecify.annotations.NullMarked;
