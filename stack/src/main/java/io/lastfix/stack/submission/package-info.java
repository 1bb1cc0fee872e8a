/** What is remembered of submitted jobs, and from where one of them can go on. */
@NullMarked
package io.lastfix.cli.resume;

import org.jspecify.annotations.NullMarked;
