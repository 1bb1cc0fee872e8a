/** What a running gateway, and a running notify, answer of their state. */
@NullMarked
package io.lastfix.cluster.gateway;

import org.jspecify.annotations.NullMarked;
