@NullMarked
package io.lastfix.parse;

import org.jspecify.annotations.NullMarked;
