/**
 * What the tests share: servers, the command as a process and in the same JVM, messages, and what
 * must become of them.
 */
@NullMarked
package io.lastfix.it.harness;

import org.jspecify.annotations.NullMarked;
