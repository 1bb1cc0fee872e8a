/** Jobs of a running Flink: submission, drain, and the account of an upgrade. */
@NullMarked
package io.lastfix.operate.job;

import org.jspecify.annotations.NullMarked;
