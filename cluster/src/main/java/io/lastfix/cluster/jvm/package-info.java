/** What JVMs are started with. */
@NullMarked
package io.lastfix.cluster.jvm;

import org.jspecify.annotations.NullMarked;
