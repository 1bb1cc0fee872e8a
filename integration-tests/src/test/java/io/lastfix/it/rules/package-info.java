/** The rules job: rules, fences and alerts. */
@NullMarked
package io.lastfix.it.rules;

import org.jspecify.annotations.NullMarked;
