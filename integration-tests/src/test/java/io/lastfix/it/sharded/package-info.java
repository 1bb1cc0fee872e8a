/** MongoDB as a sharded cluster; and provisioning, with and without shards. */
@NullMarked
package io.lastfix.it.sharded;

import org.jspecify.annotations.NullMarked;
