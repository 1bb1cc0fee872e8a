package io.lastfix.console.api;

import io.lastfix.console.health.Health;
import io.lastfix.console.http.OpenApi;
import io.lastfix.console.http.Route;
import java.util.List;

/** {@code /v1/health}: how the jobs and their servers are. */
record HealthApi(Health health) {
  List<Route> routes() {
    return List.of(
        Route.get("/v1/health", "How the jobs and their servers are; each part has its own state")
            .answers(
                "All parts, after 5 s at most. A reading is used for 2 s.",
                OpenApi.file("api/health.yaml"))
            .query(request -> health.read()));
  }
}
