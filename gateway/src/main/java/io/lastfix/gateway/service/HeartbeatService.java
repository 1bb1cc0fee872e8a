package io.lastfix.gateway.service;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastfix.gateway.heartbeats.HeartbeatRequest;
import io.lastfix.gateway.http.BodyLimit;
import io.lastfix.gateway.http.BodyService;
import io.lastfix.gateway.http.Problem;
import io.lastfix.gateway.http.RecordChecks;
import io.lastfix.gateway.http.RecordServices;
import io.lastfix.gateway.http.RecordsRoute;
import io.lastfix.gateway.http.RefusedException;
import io.lastfix.gateway.http.RequestHead;
import io.lastfix.gateway.http.RouteAccess;
import io.lastfix.gateway.http.SdkCheck;
import io.lastfix.model.device.HeartbeatMessage.Heartbeat;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v1/heartbeat}: a device says that it is there. It authenticates as {@code
 * /v1/records} does. A heartbeat is never refused for the quota, or a device without any left would
 * be taken for silent; its bytes count.
 */
public final class HeartbeatService extends BodyService {
  /** The path of the route, for the server. */
  public static final String PATH = "/v1/heartbeat";

  /** The route's name in metrics. */
  private static final String NAME = "heartbeat";

  private final RecordsRoute records = new RecordsRoute();

  /** Serves heartbeats with the access of records. */
  public HeartbeatService(RouteAccess access, RecordServices services) {
    super(NAME, access, services);
  }

  @Override
  protected @Nullable Problem refuseHead(
      ServiceRequestContext context, RequestHead head, long contentLength) {
    Problem problem = refuseSender(records, head);
    return problem != null
        ? problem
        : new RecordChecks(services())
            .refuseHeartbeat(
                head.header(SdkCheck.HEADER), head.joined("content-encoding"), contentLength);
  }

  @Override
  protected BodyLimit bodyLimit() {
    return new BodyLimit(HeartbeatRequest.MAX_BYTES, services().problems()::heartbeatTooLarge);
  }

  @Override
  protected CompletionStage<HttpResponse> accept(
      ServiceRequestContext context, RequestHead head, byte[] body) {
    String device = access().authenticator().authenticate(head, body).device();
    if (device == null) {
      throw new RefusedException(
          services()
              .problems()
              .badRequest("Name the device in the header Lastfix-Device, 1 to 256 characters."));
    }
    Heartbeat heartbeat =
        orBadRequest(() -> HeartbeatRequest.parse(body, head.header(SdkCheck.HEADER)));
    return services().signs().ofHeartbeat(device, heartbeat).thenApply(records::stored);
  }
}
