package io.lastfix.console.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.console.http.Parameters;
import io.lastfix.console.http.Queries;
import java.util.Set;

/** Adds routes whose answers are queries. */
final class QueryRoutes {
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
              return queries.answer(context, () -> route.answer(context, parameters));
            });
  }
}
