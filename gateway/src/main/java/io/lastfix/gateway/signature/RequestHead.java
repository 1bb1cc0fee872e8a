package io.lastfix.gateway.signature;

import org.jspecify.annotations.Nullable;

/**
 * What a signature covers of a request, apart from its content.
 *
 * @param method as sent; methods are case-sensitive
 * @param path the path as it was on the wire: percent-encoding untouched, nothing normalized
 * @param query the query as it was on the wire, without the question mark; null if there is none
 * @param headers all headers
 */
public record RequestHead(
    String method, String path, @Nullable String query, RequestHeaders headers) {}
