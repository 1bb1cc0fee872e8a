package io.lastfix.gateway.service;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.gateway.heartbeats.C2Message;
import io.lastfix.gateway.http.Authentication;
import io.lastfix.gateway.http.BodyService;
import io.lastfix.gateway.http.OpenedSize;
import io.lastfix.gateway.http.Problem;
import io.lastfix.gateway.http.RecordChecks;
import io.lastfix.gateway.http.RecordServices;
import io.lastfix.gateway.http.RefusedException;
import io.lastfix.gateway.http.RequestHead;
import io.lastfix.gateway.http.RouteAccess;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The C2 protocol of MiNiFi agents: {@code POST /c2-protocol/heartbeat} and {@code
 * /c2-protocol/acknowledge}. Each shows that its agent is there. The answer requests no operation,
 * so an agent has nothing to acknowledge; an acknowledgement that does not name its agent (those of
 * C++ agents do not) is answered and not stored.
 */
public final class C2Service extends BodyService {
  /** Path of the heartbeats, for the server. */
  public static final String HEARTBEAT_PATH = "/c2-protocol/heartbeat";

  /** Path of the acknowledgements, for the server. */
  public static final String ACKNOWLEDGE_PATH = "/c2-protocol/acknowledge";

  /** The routes' name in metrics and in {@code access.NAME}. */
  public static final String NAME = "c2";

  /** Both kinds of agents read the operations from this member. */
  private static final String NO_OPERATIONS = "{\"requestedOperations\":[]}";

  private final Duration interval;

  /**
   * Serves both paths.
   *
   * @param access names the device; if it names none, the device is the agent that the body names
   * @param interval between two heartbeats of an agent
   */
  public C2Service(RouteAccess access, Duration interval, RecordServices services) {
    super(NAME, access, services);
    this.interval = interval;
  }

  @Override
  protected CompletionStage<HttpResponse> accept(
      ServiceRequestContext context, RequestHead head, byte[] body) {
    return CompletableFuture.supplyAsync(() -> read(head, body), executor(context, body))
        .thenCompose(this::store);
  }

  /**
   * The message of an agent.
   *
   * @param device null if it is not known
   */
  private record Said(@Nullable String device, C2Message message) {}

  private Said read(RequestHead head, byte[] body) {
    Problem opened = new RecordChecks(services()).refuseOpened(body);
    if (opened != null) {
      throw new RefusedException(opened);
    }
    String known = access().authenticator().authenticate(head, body).device();
    C2Message message = orBadRequest(() -> C2Message.parse(OpenedSize.open(body)));
    String device = known == null ? Authentication.claimed(message.agent()).device() : known;
    if (device == null && head.path().equals(HEARTBEAT_PATH)) {
      throw new RefusedException(
          services()
              .problems()
              .badRequest("agentInfo.identifier: expected a text of 1 to 256 characters"));
    }
    return new Said(device, message);
  }

  private CompletionStage<HttpResponse> store(Said said) {
    String device = said.device();
    return device == null
        ? CompletableFuture.completedFuture(answer())
        : services()
            .signs()
            .ofHeartbeat(device, said.message().heartbeat(interval))
            .thenApply(stored -> answer());
  }

  private static HttpResponse answer() {
    return HttpResponse.of(HttpStatus.OK, MediaType.JSON, NO_OPERATIONS);
  }
}
