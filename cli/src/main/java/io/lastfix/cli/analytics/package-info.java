/** The commands that show numbers, and count them from History. */
@NullMarked
package io.lastfix.cli.analytics;

import org.jspecify.annotations.NullMarked;
