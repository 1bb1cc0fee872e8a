/** The commands that submit, watch and stop jobs. */
@NullMarked
package io.lastfix.cli.job;

import org.jspecify.annotations.NullMarked;
