/** Traces of requests, in OpenTelemetry's format. */
@NullMarked
package io.lastfix.gateway.tracing;

import org.jspecify.annotations.NullMarked;
