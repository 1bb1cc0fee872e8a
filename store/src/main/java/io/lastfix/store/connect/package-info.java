/** Certificates: how they are read, and what is wrong with the one a server shows. */
@NullMarked
package io.lastfix.security;

import org.jspecify.annotations.NullMarked;
