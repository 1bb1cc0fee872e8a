/**
 * The configuration of a program: typed keys with defaults, read from a file and the command line,
 * and checked as a whole before the program starts.
 */
@NullMarked
package io.lastfix.kit.config;

import org.jspecify.annotations.NullMarked;
