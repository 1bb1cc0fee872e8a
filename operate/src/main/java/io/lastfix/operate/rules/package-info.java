/** Rules and fences: what the commands store in their topic, and read from it. */
@NullMarked
package io.lastfix.operate.rules;

import org.jspecify.annotations.NullMarked;
