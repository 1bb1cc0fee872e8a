/** Connections to MongoDB: addresses, TLS, time limits, and what access and write errors mean. */
@NullMarked
package io.lastfix.store.connect;

import org.jspecify.annotations.NullMarked;
