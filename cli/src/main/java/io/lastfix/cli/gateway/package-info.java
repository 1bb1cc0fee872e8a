/** The commands of the gateway. */
@NullMarked
package io.lastfix.cli.gateway;

import org.jspecify.annotations.NullMarked;
