/** Alerts of rules. */
@NullMarked
package io.lastfix.model.alert;

import org.jspecify.annotations.NullMarked;
