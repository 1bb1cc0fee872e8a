/** The location job as a later release might have it, for the test of an upgrade. */
@NullMarked
package io.lastfix.upgrade;

import org.jspecify.annotations.NullMarked;
