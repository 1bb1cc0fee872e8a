package io.lastfix.gateway.http;

import io.lastfix.gateway.config.AccessMode;

/**
 * Which clients may write to a route.
 *
 * @param key of the configuration that decides
 * @param mode its value
 * @param authenticator authenticates the client
 */
public record RouteAccess(String key, AccessMode mode, RequestAuthenticator authenticator) {}
