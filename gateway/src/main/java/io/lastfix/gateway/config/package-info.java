/** The parts of the gateway's configuration. */
@NullMarked
package io.lastfix.gateway.config;

import org.jspecify.annotations.NullMarked;
