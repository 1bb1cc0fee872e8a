/** Names of operators and metrics, for the modules that register and that read them. */
@NullMarked
package io.lastfix.model.metrics;

import org.jspecify.annotations.NullMarked;
