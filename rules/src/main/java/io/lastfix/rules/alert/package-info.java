/** The topic {@code lastfix.alerts}: its messages. */
@NullMarked
package io.lastfix.rules.alert;

import org.jspecify.annotations.NullMarked;
