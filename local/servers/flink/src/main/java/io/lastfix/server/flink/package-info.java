/** What guards Flink's web interface, which has no log-in, from the pages of a browser. */
@NullMarked
package io.lastfix.server.flink;

import org.jspecify.annotations.NullMarked;
