package io.lastfix.gateway.http;

import java.util.function.LongFunction;

/**
 * How long a body may be.
 *
 * @param bytes as on the wire
 * @param refusal of a body that is longer; its argument is the length that is announced, or was
 *     read so far
 */
public record BodyLimit(int bytes, LongFunction<Problem> refusal) {}
