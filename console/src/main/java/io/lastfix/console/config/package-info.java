/** What the console is configured with. */
@NullMarked
package io.lastfix.console.config;

import org.jspecify.annotations.NullMarked;
