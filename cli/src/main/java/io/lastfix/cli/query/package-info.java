/** The commands that query devices' positions. */
@NullMarked
package io.lastfix.cli.query;

import org.jspecify.annotations.NullMarked;
