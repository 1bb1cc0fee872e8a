/** The gateway's configuration: keys, defaults, checks, and the pages written from them. */
@NullMarked
package io.lastfix.gateway.config;

import org.jspecify.annotations.NullMarked;
