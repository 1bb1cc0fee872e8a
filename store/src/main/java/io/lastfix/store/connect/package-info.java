/**
 * Connections to MongoDB: addresses, TLS, time limits, and the meaning of access and write errors.
 */
@NullMarked
package io.lastfix.store.connect;

import org.jspecify.annotations.NullMarked;
