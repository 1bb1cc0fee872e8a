/**
 * What is known of a real cluster and of a stack on this machine: its files, and what keeps it
 * running.
 */
@NullMarked
package io.lastfix.cluster;

import org.jspecify.annotations.NullMarked;
