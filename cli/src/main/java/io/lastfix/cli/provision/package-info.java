/** {@code lastfix provision}: collections, indexes, shards and roles as the configuration says. */
@NullMarked
package io.lastfix.cli.provision;

import org.jspecify.annotations.NullMarked;
