/** Lastfix in containers, for the integration tests of its users. */
@NullMarked
package io.lastfix.testcontainers;

import org.jspecify.annotations.NullMarked;
