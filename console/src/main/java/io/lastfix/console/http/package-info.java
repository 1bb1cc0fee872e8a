/** What all routes share: problems, parameters, access, headers. */
@NullMarked
package io.lastfix.console.http;

import org.jspecify.annotations.NullMarked;
