package io.lastfix.gateway.service;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.gateway.config.AccessMode;
import io.lastfix.gateway.heartbeats.Quota;
import io.lastfix.gateway.http.Authentication;
import io.lastfix.gateway.http.BodyService;
import io.lastfix.gateway.http.Problem;
import io.lastfix.gateway.http.RecordChecks;
import io.lastfix.gateway.http.RecordRoute;
import io.lastfix.gateway.http.RecordServices;
import io.lastfix.gateway.http.RefusedException;
import io.lastfix.gateway.http.RequestHead;
import io.lastfix.gateway.http.RouteAccess;
import io.lastfix.gateway.http.SdkCheck;
import io.lastfix.gateway.kafka.OutgoingRecord;
import io.lastfix.gateway.kafka.Stored;
import io.lastfix.gateway.tracing.RequestTracing;
import io.lastfix.model.UserPatterns;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Takes one request of a {@link RecordRoute}, which becomes one message in Kafka. What a body opens
 * to is counted while it is opened.
 */
public final class RecordService extends BodyService {
  private final RecordRoute route;
  private final RecordChecks checks;

  /** Serves a route. */
  public RecordService(RecordRoute route, RouteAccess access, RecordServices services) {
    super(route.name(), access, services);
    this.route = route;
    checks = new RecordChecks(services);
  }

  @Override
  protected @Nullable Problem refuseHead(
      ServiceRequestContext context, RequestHead head, long contentLength) {
    // Before clients are counted: a refused client must not fill the counter with names.
    Problem problem = refuseSender(route, head);
    return problem != null
        ? problem
        : checks.refuseHead(
            route.profile(context),
            head.header(SdkCheck.HEADER),
            route.checksSdk(),
            head.joined("content-encoding"),
            contentLength);
  }

  @Override
  protected boolean endsWithoutAnswer(Problem problem) {
    return route.repeatsOnlyWithoutAnswer() && problem.passesSoon();
  }

  @Override
  protected CompletionStage<HttpResponse> accept(
      ServiceRequestContext context, RequestHead head, byte[] body) {
    String profile = route.profile(context);
    byte[] value = route.value(head, body);
    if (value.length == 0) {
      HttpResponse empty = route.empty();
      return CompletableFuture.completedFuture(
          empty == null ? refuse(services().problems().empty()) : empty);
    }
    return CompletableFuture.supplyAsync(
            () -> check(head, profile, body, value), executor(context, body))
        .thenCompose(checked -> store(context, head, checked, bytes(body, value)))
        .thenApply(
            stored -> {
              services().metrics().stored(route.name(), profile, value.length);
              return route.stored(stored);
            });
  }

  /**
   * A request that may be stored.
   *
   * @param granted of the quota; null: it does not count
   */
  private record Checked(OutgoingRecord record, Quota.@Nullable Granted granted) {}

  private CompletionStage<Stored> store(
      ServiceRequestContext context, RequestHead head, Checked checked, int bytes) {
    RequestTracing tracing = services().tracing();
    if (tracing == null) {
      return services().signs().sendRecord(checked.record(), bytes, sdk(head), checked.granted());
    }
    return tracing.send(
        context,
        checked.record(),
        record -> services().signs().sendRecord(record, bytes, sdk(head), checked.granted()));
  }

  /** What needs the whole body, and computing. */
  private Checked check(RequestHead head, String profile, byte[] body, byte[] value) {
    Problem opened = checks.refuseOpened(body);
    if (opened != null) {
      throw new RefusedException(opened);
    }
    Authentication accepted = access().authenticator().authenticate(head, body);
    String user = access().mode() == AccessMode.BASIC ? accepted.device() : null;
    byte[] named = orBadRequest(() -> route.named(head, value, user));
    return new Checked(
        new OutgoingRecord(
            String.valueOf(services().topics().get(profile)),
            accepted.device(),
            named,
            headers(head, accepted)),
        count(accepted.device(), bytes(body, value)));
  }

  /** Returns the bytes on the wire: of the body, or of the query if that is the record. */
  private static int bytes(byte[] body, byte[] value) {
    return body.length == 0 ? value.length : body.length;
  }

  /** Last of all checks, because it counts. */
  private Quota.@Nullable Granted count(@Nullable String device, int bytes) {
    Quota quota = services().quota();
    if (quota == null || device == null) {
      return null;
    }
    Quota.Decision decision = quota.request(device, bytes);
    if (decision instanceof Quota.Refused refused) {
      if (refused.untilReset().isZero()) {
        services().signs().ofRefused(device, quota);
      }
      throw new RefusedException(services().problems().quota(refused, bytes));
    }
    return (Quota.Granted) decision;
  }

  private Map<String, String> headers(RequestHead head, Authentication accepted) {
    String device = accepted.device();
    AccessMode mode = access().mode();
    String speaksFor = mode == AccessMode.BASIC && device != null ? route.speaksFor(device) : null;
    return RecordHeaders.of(
        device,
        route.name(),
        mode == AccessMode.BASIC && !route.isUserTheDevice() ? AccessMode.UNSIGNED : mode,
        head.received(),
        speaksFor != null && UserPatterns.isPattern(speaksFor) ? speaksFor : null,
        sdk(head),
        head.joined("content-encoding"),
        accepted.headers());
  }

  private @Nullable String sdk(RequestHead head) {
    return route.checksSdk() ? head.header(SdkCheck.HEADER) : null;
  }
}
