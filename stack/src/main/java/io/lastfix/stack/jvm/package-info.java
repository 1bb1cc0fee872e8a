/** What JVMs are started with. */
@NullMarked
package io.lastfix.stack.jvm;

import org.jspecify.annotations.NullMarked;
