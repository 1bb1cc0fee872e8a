/** What the servers on a user's machine check of a browser's requests. */
@NullMarked
package io.lastfix.model.web;

import org.jspecify.annotations.NullMarked;
