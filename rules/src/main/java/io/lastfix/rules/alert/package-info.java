/** The topic {@code lastfix.alerts}: its messages and settings. */
@NullMarked
package io.lastfix.rules.alert;

import org.jspecify.annotations.NullMarked;
