package io.lastfix.console.api;

import com.linecorp.armeria.server.ServerBuilder;
import io.lastfix.console.health.Health;
import io.lastfix.console.http.Queries;
import java.util.Set;

/** {@code /v1/health}: how the jobs and their servers are. */
public final class HealthApi {
  private final Health health;
  private final Queries queries;

  /** The route. */
  public HealthApi(Health health, Queries queries) {
    this.health = health;
    this.queries = queries;
  }

  /** Adds the route. */
  public void addTo(ServerBuilder builder) {
    new QueryRoutes(builder, queries)
        .add("/v1/health", Set.of(), (context, parameters) -> health.read());
  }
}
