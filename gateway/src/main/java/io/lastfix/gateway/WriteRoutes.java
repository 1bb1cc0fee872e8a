package io.lastfix.gateway;

import com.linecorp.armeria.server.HttpService;
import io.lastfix.gateway.config.AccessMode;
import io.lastfix.gateway.config.AccessOptions;
import io.lastfix.gateway.devices.RegisteredDevices;
import io.lastfix.gateway.http.Authentication;
import io.lastfix.gateway.http.BasicAuthenticator;
import io.lastfix.gateway.http.RecordRoute;
import io.lastfix.gateway.http.RecordServices;
import io.lastfix.gateway.http.RecordsRoute;
import io.lastfix.gateway.http.RequestAuthenticator;
import io.lastfix.gateway.http.RequestHead;
import io.lastfix.gateway.http.Route;
import io.lastfix.gateway.http.RouteAccess;
import io.lastfix.gateway.http.SignedAuthenticator;
import io.lastfix.gateway.kafka.ByteBudget;
import io.lastfix.gateway.service.C2Service;
import io.lastfix.gateway.service.DevicesService;
import io.lastfix.gateway.service.HeartbeatService;
import io.lastfix.gateway.service.OpenSchemaRegistrationService;
import io.lastfix.gateway.service.RecordService;
import io.lastfix.gateway.tracing.RequestTracing;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The routes that become messages in Kafka, each with the access that its key configures.
 *
 * @param config with the access
 * @param services of all routes
 * @param devices null: no device registers or signs
 */
record WriteRoutes(
    GatewayConfig config, RecordServices services, @Nullable RegisteredDevices devices) {
  /** The routes of {@link GatewayKeys#RECORDS}. */
  List<Route> ofRecords() {
    return GatewayKeys.RECORDS.stream().map(this::ofRecords).toList();
  }

  private Route ofRecords(RecordRoute route) {
    RouteAccess to = access(route.name(), route::claimedDevice, route.isUserTheDevice());
    return new Route(
        route.path(),
        route.mayEndWithSlash(),
        route.methods(),
        traced(new RecordService(route, to, services)));
  }

  /** The routes of signs that a device, or the agent on it, is there. */
  List<Route> ofHeartbeats() {
    RouteAccess records = access(RecordsRoute.NAME, new RecordsRoute()::claimedDevice, true);
    // Without Basic, the agent is named in the body.
    RouteAccess agents = access(C2Service.NAME, (head, body) -> null, true);
    C2Service c2 = new C2Service(agents, config.heartbeats().c2Interval(), services);
    return List.of(
        Route.post(HeartbeatService.PATH, new HeartbeatService(records, services)),
        Route.post(C2Service.HEARTBEAT_PATH, c2),
        Route.post(C2Service.ACKNOWLEDGE_PATH, c2));
  }

  /** The registration of OpenSchema's SDK, of which nothing is stored. */
  Route ofOpenSchema() {
    RouteAccess to = access(OpenSchemaRegistrationService.NAME, (head, body) -> null, true);
    return Route.post(
        OpenSchemaRegistrationService.PATH,
        traced(new OpenSchemaRegistrationService(to, services)));
  }

  /**
   * The registration of devices, with a budget of its own so that it takes nothing from records.
   */
  Route ofRegistrations(RegisteredDevices registered, ByteBudget budget) {
    return Route.post(
        DevicesService.PATH,
        traced(new DevicesService(registered.registration(), services.forRegistrations(budget))));
  }

  private HttpService traced(HttpService service) {
    RequestTracing tracing = services.tracing();
    return tracing == null ? service : tracing.decorate(service);
  }

  /**
   * Returns which clients may write to the routes of that name.
   *
   * @param claimedDevice the device that a request names; null if it names none
   * @param isUserTheDevice false: all devices share a password
   */
  private RouteAccess access(
      String name,
      BiFunction<RequestHead, byte[], @Nullable String> claimedDevice,
      boolean isUserTheDevice) {
    AccessMode mode = config.access().of(name);
    RequestAuthenticator claim =
        (head, body) -> Authentication.claimed(claimedDevice.apply(head, body));
    RequestAuthenticator authenticator =
        switch (mode) {
          case BASIC ->
              new BasicAuthenticator(
                  config.access().basicUsers(),
                  isUserTheDevice ? null : claim,
                  services.problems());
          case SIGNED ->
              new SignedAuthenticator(
                  Objects.requireNonNull(devices, "checked with the configuration").authenticator(),
                  services.problems());
          case CLOSED, UNSIGNED -> claim;
        };
    return new RouteAccess(AccessOptions.PREFIX + name, mode, authenticator);
  }
}
