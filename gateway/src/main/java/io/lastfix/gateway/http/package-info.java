/** The HTTP side: what is checked before and after a body is read, the answers, authentication. */
@NullMarked
package io.lastfix.gateway.http;

import org.jspecify.annotations.NullMarked;
