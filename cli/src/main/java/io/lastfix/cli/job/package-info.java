/** The commands over a running stack: catalogue, job, queries, demo. */
@NullMarked
package io.lastfix.cli.command;

import org.jspecify.annotations.NullMarked;
