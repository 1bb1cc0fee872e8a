/** The commands' shared parts: options, the configuration, the servers, progress on a terminal. */
@NullMarked
package io.lastfix.cli.common;

import org.jspecify.annotations.NullMarked;
