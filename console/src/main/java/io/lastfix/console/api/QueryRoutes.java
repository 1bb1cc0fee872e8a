package io.lastfix.console.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.console.http.Parameters;
import io.lastfix.console.http.Queries;
import java.util.Set;

/** Adds routes whose answers are queries. */
final class QueryRoutes {
  /** Of a limit of 10,000 and more. */
  private static final int LARGE_DIGITS = 5;

  private final ServerBuilder builder;
  private final Queries queries;

  QueryRoutes(ServerBuilder builder, Queries queries) {
    this.builder = builder;
    this.queries = queries;
  }

  /** What a route answers. */
  interface Route {
    ObjectNode answer(ServiceRequestContext context, Parameters parameters);
  }

  /**
   * Adds a route.
   *
   * @param names of its parameters; all others are refused
   */
  void add(String path, Set<String> names, Route route) {
    builder
        .route()
        .get(path)
        .build(
            (context, request) -> {
              Parameters parameters = Parameters.of(context.queryParams(), names);
              return queries.answer(
                  context, isLarge(parameters), () -> route.answer(context, parameters));
            });
  }

  /** An invalid limit is refused by its route. */
  private static boolean isLarge(Parameters parameters) {
    String limit = parameters.text("limit");
    return limit != null && limit.length() >= LARGE_DIGITS;
  }
}
