/** Values as texts for people. */
@NullMarked
package io.lastfix.kit.text;

import org.jspecify.annotations.NullMarked;
