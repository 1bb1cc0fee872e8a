package io.lastfix.gateway.http;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServerBuilder;
import java.util.List;
import java.util.Set;

/**
 * Where a service is. What holds for all routes, the server adds to each: limits, the checks of a
 * request's form and origin, the count of open requests.
 *
 * @param path as the server writes it, with parameters in braces
 * @param mayEndWithSlash whether the path is served with a slash at its end, too
 * @param methods others get 405
 * @param service answers
 */
public record Route(
    String path, boolean mayEndWithSlash, Set<HttpMethod> methods, HttpService service) {
  /** A route that is read. */
  public static Route get(String path, HttpService service) {
    return new Route(path, false, Set.of(HttpMethod.GET), service);
  }

  /** A route that is written to. */
  public static Route post(String path, HttpService service) {
    return new Route(path, false, Set.of(HttpMethod.POST), service);
  }

  /** Adds it to a server. */
  public void addTo(ServerBuilder builder) {
    for (String end : mayEndWithSlash ? List.of("", "/") : List.of("")) {
      builder.route().path(path + end).methods(methods).build(service);
    }
  }
}
