/** What a command may use: servers, and the configuration of the jobs. */
@NullMarked
package io.lastfix.operate.access;

import org.jspecify.annotations.NullMarked;
