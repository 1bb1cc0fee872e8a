/** Addresses and certificates of other servers. */
@NullMarked
package io.lastfix.kit.net;

import org.jspecify.annotations.NullMarked;
