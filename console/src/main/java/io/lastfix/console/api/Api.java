package io.lastfix.console.api;

import io.lastfix.console.health.Health;
import io.lastfix.console.http.Route;
import io.lastfix.console.live.LiveHub;
import io.lastfix.console.query.LocationStore;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All routes of the API; {@code docs/extend/console-route.md} says how to add one. */
public final class Api {
  private Api() {}

  /**
   * Returns the routes.
   *
   * @param hub of located records; null: none come
   * @param liveProblem why none come, although there is a hub; empty if they do
   */
  public static List<Route> routes(
      LocationStore store,
      Health health,
      @Nullable LiveHub hub,
      Supplier<Optional<String>> liveProblem) {
    return Stream.of(
            new LocationApi(store, InstantSource.system()).routes(),
            new NumberApi(store, health::beginLostRecords).routes(),
            new HealthApi(health).routes(),
            new LiveApi(hub, liveProblem).routes())
        .flatMap(List::stream)
        .toList();
  }
}
