/** What the console reads from MongoDB. */
@NullMarked
package io.lastfix.console.query;

import org.jspecify.annotations.NullMarked;
