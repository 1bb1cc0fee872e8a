package io.lastfix.gateway.http;

import java.util.function.LongFunction;

/**
 * How long a body may be.
 *
 * @param bytes as on the wire
 * @param refusal of a body with so many bytes, or more
 */
record BodyLimit(int bytes, LongFunction<Problem> refusal) {}
