/** Clients of a running cluster, and the files of a stack on this machine. */
@NullMarked
package io.lastfix.cluster;

import org.jspecify.annotations.NullMarked;
