/**
 * The compacted topic {@code lastfix.rules}: its messages, what they result in, and how a message
 * gets a version that no other one has.
 */
@NullMarked
package io.lastfix.rules.topic;

import org.jspecify.annotations.NullMarked;
