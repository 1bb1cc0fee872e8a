/** The programs of servers that are not Java: found on this machine, or fetched once. */
@NullMarked
package io.lastfix.local.program;

import org.jspecify.annotations.NullMarked;
