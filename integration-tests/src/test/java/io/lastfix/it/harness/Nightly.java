package io.lastfix.it.harness;

import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.ElementType.TYPE;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Leaves a test to {@code -Pnightly}, which {@code .ci/nightly} runs for what has changed. For
 * tests that are dear and neither of faults nor of what is stored; the module's README has the
 * reason of each.
 */
@Tag("nightly")
@Target({TYPE, METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Nightly {}
