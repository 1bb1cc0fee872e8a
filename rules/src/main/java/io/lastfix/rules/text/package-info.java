/** What the texts of rules and fences have in common. */
@NullMarked
package io.lastfix.rules.text;

import org.jspecify.annotations.NullMarked;
