/** The demo: its steps, its driving taxis, and what it says in the end. */
@NullMarked
package io.lastfix.operate.demo;

import org.jspecify.annotations.NullMarked;
