/** Harm to servers, input and clocks, while the location job runs. */
@NullMarked
package io.lastfix.it.faults;

import org.jspecify.annotations.NullMarked;
