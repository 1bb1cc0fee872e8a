/** Charts of measured values, and the stretches of time that they show. */
@NullMarked
package io.lastfix.bench.plot;

import org.jspecify.annotations.NullMarked;
